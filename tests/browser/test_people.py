"""People at the table: from an invitation to a rematch, with accounts and without; names, presence, notices
and what the trial of the page found wrong among people (D11, D15, D29 to D31)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from grognard.server import push
from tests.browser.conftest import NewPage, Sit
from tests.browser.house import LENINGRAD, PATIENCE, House, Rehearsal, answers
from tests.browser.table_page import TablePage, words
from tests.browser.test_barriers import barriers
from tests.server.letterbox import Letterbox

PEOPLE = {"german": "human", "soviet": "human"}
PHRASE = "two horses at a ford"


def make_account(page: Page, house: House, name: str, lang: str = "en") -> None:
    """An account, made on the page for it."""
    page.goto(f"{house.url}/account")
    words = {
        "en": ("I have no account yet", "Name", "Passphrase", "Create an account"),
        "fr": ("Je n’ai pas encore de compte", "Nom", "Phrase secrète", "Créer un compte"),
    }[lang]
    page.get_by_role("button", name=words[0]).click()
    page.get_by_label(words[1], exact=True).fill(name)
    page.get_by_label(words[2]).fill(PHRASE)
    page.get_by_role("button", name=words[3]).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def invite(page: Page, house: House, name: str) -> str:
    """A new table for a friend with everything as it is offered; the link to send."""
    page.goto(house.url)
    page.get_by_label("Opponent").select_option("friend")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play", exact=True).click()
    TablePage(page).ready()
    return page.get_by_role("textbox", name=re.compile("^Invitation for")).input_value()


def from_invitation_to_rematch(house: House, mine: Page, his: Page, comes_and_goes: bool = False) -> None:
    # D11: with the settings as they are, the link is there, in sight, and copied by a button.
    mine.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = invite(mine, house, "Anna")
    me = TablePage(mine)
    copy = mine.get_by_role("button", name=re.compile("^Copy: Invitation for"))
    expect(copy).to_be_in_viewport()
    copy.click()
    expect(mine.get_by_text("Copied.")).to_be_visible()
    assert barriers(mine) == ""
    assert mine.evaluate("navigator.clipboard.readText()") == link

    # The friend comes: each sees the other's name and that he is here.
    friend = TablePage(his).open(link)
    people = me.bar.get_by_role("button", name=re.compile("^Players"))
    expect(people).to_have_accessible_name(re.compile(r"Anna here (Boris Godunov|Soviet) here"))
    expect(copy).to_be_hidden()
    expect(friend.bar).to_contain_text("On attend Anna (Allemand)")

    address = his.url
    if comes_and_goes:
        his.goto(house.url)
        expect(people).to_have_accessible_name(re.compile("(Boris Godunov|Soviet) not here"))
        his.goto(address)
        friend.ready()
        expect(people).to_have_accessible_name(re.compile("(Boris Godunov|Soviet) here"))

    # The end, and another game with the sides changed.
    me.menu("Resign")
    mine.get_by_role("button", name="Really resign?").click()
    expect(friend.sentence).to_contain_text("Abandon : Allemand.")
    swap = his.get_by_role("button", name=re.compile("^Revanche, je joue : Allemand"))
    expect(swap).to_be_visible()
    assert barriers(his) == ""
    # Who reads how it ended hears of the other's wish there.
    reader = mine.context.new_page()
    reader.goto(mine.url + "/end")
    expect(reader.get_by_role("button", name=re.compile("^Rematch"))).to_have_count(2)
    swap.click()
    expect(reader.get_by_role("status")).to_have_text(
        re.compile("^(Boris Godunov|Soviet).* wants to play again")
    )
    expect(reader.get_by_role("button", name="Sit down for the rematch")).to_be_visible()
    assert barriers(reader) == ""
    reader.close()
    expect(friend.bar).to_contain_text("Tour 1")
    expect(friend.bar).to_contain_text("À vous de jouer")
    accept = mine.get_by_role("button", name="Sit down for the rematch")
    expect(accept).to_be_visible()
    assert barriers(mine) == ""
    accept.click()
    expect(me.bar).to_contain_text("Turn 1")
    expect(me.bar).not_to_contain_text("The game is over")
    assert mine.url == his.url != address
    expect(people).to_have_accessible_name(re.compile("(Boris Godunov|German) here Anna here"))


def test_two_people_without_accounts(house: House, new_page: NewPage) -> None:
    from_invitation_to_rematch(house, new_page(), new_page(lang="fr"), comes_and_goes=True)


def test_two_people_with_accounts(house: House, new_page: NewPage) -> None:
    mine, his = new_page(), new_page(lang="fr")
    make_account(mine, house, "Anna Petrovna")
    make_account(his, house, "Boris Godunov", "fr")
    from_invitation_to_rematch(house, mine, his)
    # The game has followed him to another device.
    desk = new_page()
    desk.goto(f"{house.url}/account")
    desk.get_by_label("Name", exact=True).fill("boris godunov")
    desk.get_by_label("Passphrase").fill(PHRASE)
    desk.get_by_role("button", name="Sign in").click()
    expect(desk.get_by_role("heading", level=1, name="Boris Godunov")).to_be_visible()
    desk.get_by_role("link", name="Lobby").click()
    region = desk.get_by_role("region", name="Your games")
    games = region.get_by_role("listitem")
    # The first is over, and folded away.
    expect(games).to_have_count(1)
    region.get_by_text("Finished games (1)").click()
    expect(games).to_have_count(2)
    expect(games.last.get_by_role("link", name="How it ended")).to_be_visible()
    games.filter(has_text="Your turn").get_by_role("link").click()
    there = TablePage(desk).ready()
    assert desk.url == his.url
    expect(there.bar).to_contain_text("Your move")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_account_from_its_making_to_its_end(house: House, new_page: NewPage, lang: str) -> None:
    page = new_page(lang=lang)
    page.goto(f"{house.url}/account")
    expect(page.get_by_role("heading", level=2)).to_be_visible()
    assert barriers(page) == ""
    name = f"Rokossovsky {lang}"
    make_account(page, house, name, lang)
    expect(page.get_by_role("heading", level=2)).to_have_count(5)
    assert barriers(page) == ""
    say = (
        (
            "Download my data",
            "Sign out everywhere",
            "Really?",
            "Sign in",
            "Delete my account",
            "Really delete it?",
        )
        if lang == "en"
        else (
            "Télécharger mes données",
            "Se déconnecter partout",
            "Vraiment ?",
            "Se connecter",
            "Supprimer mon compte",
            "Vraiment le supprimer ?",
        )
    )
    with page.expect_download() as waiting:
        page.get_by_role("button", name=say[0]).click()
    taken = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert taken["account"]["name"] == name and PHRASE not in str(taken)
    for button in say[1:3]:
        page.get_by_role("button", name=button).click()
    # What is wrong is said, in the reader's language.
    phrase = page.get_by_label({"en": "Passphrase", "fr": "Phrase secrète"}[lang])
    page.get_by_label({"en": "Name", "fr": "Nom"}[lang], exact=True).fill(name)
    phrase.fill("not this one")
    page.get_by_role("button", name=say[3]).click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("^(No account has|Aucun compte n’a)"))
    phrase.fill(PHRASE)
    page.get_by_role("button", name=say[3]).click()
    for button in say[4:]:
        page.get_by_role("button", name=button).click()
    expect(page.get_by_role("button", name=say[3])).to_be_visible()
    assert page.evaluate("localStorage.getItem('grognard.session')") == ""


def test_games_of_a_browser_come_into_the_account_and_leave_with_it(house: House, new_page: NewPage) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"}, name="Before the account")
    page = new_page()
    TablePage(page).open(made.link("german"))
    make_account(page, house, "Late Comer")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.get_by_role("link", name="Lobby").click()
    expect(page.get_by_role("region", name="Your games")).to_contain_text("None yet.")


# Notices


SUBSCRIPTION = {
    "endpoint": "https://push.example/1",
    "keys": {"p256dh": "", "auth": push.encoded(b"0123456789abcdef")},
}


def test_this_browser_is_notified_and_shows_what_is_pushed(house: House, new_page: NewPage) -> None:
    """No push service can be reached from a test: what it would give the page is put in its place, and what
    it would hand to the service worker is handed over by the browser's own debugger."""
    made = house.table(**LENINGRAD, seats=PEOPLE)
    page = new_page()
    page.context.grant_permissions(["notifications"], origin=house.url)
    key = push.encoded(push.point(push.private_key("12" * 32).public_key()))
    given = {**SUBSCRIPTION, "keys": {**SUBSCRIPTION["keys"], "p256dh": key}}  # type: ignore[dict-item]
    page.add_init_script(
        f"""PushManager.prototype.subscribe = async (wish) => {{
            if (!wish.userVisibleOnly || wish.applicationServerKey.length !== 87) throw new Error("no");
            return {{ toJSON: () => ({json.dumps(given)}) }}; }};
        Notification.requestPermission = async () => "granted";"""
    )
    table = TablePage(page).open(made.link("german"))
    table.bar.get_by_role("button", name=re.compile("^Players")).click()
    dialog = page.get_by_role("dialog")
    assert barriers(page) == ""
    dialog.get_by_role("button", name="Notify this browser").click()
    expect(dialog.get_by_role("listitem").filter(has_text="This browser")).to_be_visible()
    kept = house.get(f"/api/tables/{made.id}/addresses", made.tokens["german"])
    assert [(one["kind"], one["confirmed"]) for one in kept] == [("push", True)]

    wire = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    wire.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    wire.send("ServiceWorker.enable")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    shown = """async ([tag, until]) => {
        const own = await navigator.serviceWorker.ready;
        for (const end = Date.now() + until; Date.now() < end; await new Promise(requestAnimationFrame)) {
            const found = (await own.getNotifications()).find((each) => each.tag === tag);
            if (found) return [found.title, found.body, found.data.link];
        }
    }"""
    for link, goes in ((f"/t/{made.id}", f"/t/{made.id}"), ("https://elsewhere.example/", "/")):
        message = {"title": "Your move", "text": "A table is waiting.", "link": link, "tag": goes}
        told = None
        for _ in range(10):  # the debugger's message is lost if the worker is just being put to sleep
            wire.send(
                "ServiceWorker.deliverPushMessage",
                {
                    "origin": house.url,
                    "registrationId": found[-1]["registrationId"],
                    "data": json.dumps(message),
                },
            )
            told = page.evaluate(shown, [goes, PATIENCE * 100])
            if told:
                break
        assert told == ["Your move", "A table is waiting.", goes]

    dialog.get_by_role("button", name="Remove: This browser").click()
    expect(dialog.get_by_role("button", name="Notify this browser")).to_be_visible()
    assert house.get(f"/api/tables/{made.id}/addresses", made.tokens["german"]) == []


def test_a_push_service_out_of_reach_is_said_in_words(house: House, sit: Sit) -> None:
    table = sit(house.table(**LENINGRAD, seats=PEOPLE), "german", lang="fr")
    page = table.page
    page.evaluate("() => { Notification.requestPermission = async () => 'denied'; }")
    table.bar.get_by_role("button", name=re.compile("^Joueurs")).click()
    page.get_by_role("button", name="Prévenir ce navigateur").click()
    expect(page.get_by_role("dialog")).to_contain_text("n’autorise pas les notifications")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_mail_is_confirmed_from_the_letter_and_stopped_there(
    house: House, letterbox: Letterbox, sit: Sit, new_page: NewPage, lang: str
) -> None:
    """An address given on the page, the letter that a real mail server received, and the links in it."""
    table = sit(house.table(**LENINGRAD, seats=PEOPLE), "german", lang=lang)
    table.bar.get_by_role("button", name=re.compile("^(Players|Joueurs)")).click()
    dialog = table.page.get_by_role("dialog")
    mail = f"anna.{lang}@players.example"
    dialog.get_by_label(re.compile("E-mail address|Adresse électronique")).fill(mail)
    dialog.get_by_role("button", name=words("Add", "Ajouter")).click()
    line = dialog.get_by_role("listitem").filter(has_text=mail)
    expect(line).to_contain_text(re.compile("not confirmed yet|pas encore confirmée"))
    letter = next(each for each in reversed(letterbox.letters) if each["To"] == mail)
    link = re.search(rf"{re.escape(house.url)}/api/addresses/\S+", str(letter.get_content()))  # type: ignore[attr-defined]
    assert link is not None
    page = new_page(lang=lang)
    for button, said in (
        ("Yes, tell me|Oui, prévenez-moi", "From now on|désormais"),
        ("Stop the mail|Ne plus en recevoir", "No more mail|Plus aucun courriel"),
    ):
        page.goto(link[0])
        assert barriers(page) == ""
        page.get_by_role("button", name=re.compile(button)).click()
        expect(page.get_by_role("main")).to_contain_text(re.compile(said))
        assert barriers(page) == ""
        if button.startswith("Yes"):
            assert [one["confirmed"] for one in _addresses(house, table)] == [True]
    assert _addresses(house, table) == []


def _addresses(house: House, table: TablePage) -> list[dict[str, Any]]:
    id_ = table.page.url.rsplit("/", 1)[1]
    token = table.page.evaluate(f"localStorage.getItem('grognard.seat.{id_}')")
    found: list[dict[str, Any]] = house.get(f"/api/tables/{id_}/addresses", token)
    return found


# What the trial of the page found


def test_d15_a_loaded_save_asks_who_plays(house: House, new_page: NewPage, tmp_path: Path) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    text = json.dumps(house.get(f"/api/tables/{made.id}/save", made.tokens["german"]))
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    page = new_page(lang="fr")
    page.goto(house.url)
    page.locator("input[type=file]").set_input_files(path)
    dialog = page.get_by_role("dialog", name="Qui joue ?")
    expect(dialog).to_be_visible()
    assert barriers(page) == ""
    dialog.get_by_label("Allemand").select_option("greedy")
    dialog.get_by_label("Soviétique").select_option("greedy")
    expect(dialog.get_by_role("button", name="Charger")).to_be_disabled()
    dialog.get_by_label("Allemand").select_option("human")
    dialog.get_by_role("button", name="Charger").click()
    table = TablePage(page).ready()
    expect(page).to_have_title(re.compile("Leningrad, tour 1$"))
    table.bar.get_by_role("button", name=re.compile("^Joueurs")).click()
    expect(page.get_by_role("dialog")).to_contain_text("Ordinateur (Opportuniste)")

    # What is wrong with a file is said in the reader's language.
    path.write_text("{ broken", encoding="utf-8")
    page.goto(house.url)
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_role("alert")).to_have_text("Ce fichier n’est pas une sauvegarde.")


def test_d29_a_take_back_says_where_to_is_shown_withdrawn_and_remembered(house: House, sit: Sit) -> None:
    made = house.table(["pick", "1-inf"], ["step", "0212"], ["halt"], **LENINGRAD, seats=PEOPLE)
    german, soviet = sit(made, "german"), sit(made, "soviet")
    german.menu("Replay from the start")
    german.page.get_by_role("button", name="Play on from here").click()
    german.page.get_by_role("dialog").get_by_role("button", name=re.compile("take", re.I)).click()
    asked = soviet.dock.locator(".proposal")
    expect(asked).to_contain_text("Turn 1")
    asked.get_by_role("button", name="Show").click()
    expect(soviet.page.get_by_role("slider")).to_have_value("0")
    soviet.page.get_by_role("button", name="Back to the present").click()
    german.dock.get_by_role("button", name="Withdraw").click()
    expect(asked).to_be_hidden()
    soviet.tab("Chat")
    for line in ("German player asked to take the game back.", "German player withdrew the request."):
        expect(soviet.page.get_by_role("log", name="Messages")).to_contain_text(line)


def test_d30_the_screen_is_passed_behind_a_curtain(house: House, sit: Sit) -> None:
    made = house.table(game="crossroads", scenario="morning", hotseat=True)
    page = sit(made, "amber", curtain=True).page
    curtain = page.get_by_role("dialog", name=re.compile("^Pass the screen to the Amber"))
    lift = curtain.get_by_role("button")
    expect(lift).to_be_focused()
    assert barriers(page) == ""
    # Neither the keyboard nor a screen reader reaches what lies behind it.
    expect(page.locator(".table")).to_have_attribute("inert", "")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("!document.activeElement.closest('.table')")
    lift.focus()
    page.keyboard.press("Enter")
    expect(curtain).to_be_hidden()
    expect(page.locator(".table")).not_to_have_attribute("inert", "")
    made.act(["stake", "amber-3"], "amber")
    other = page.get_by_role("dialog", name=re.compile("^Pass the screen to the Cobalt"))
    expect(other).to_be_visible()
    other.get_by_label("I play both sides").check()
    other.get_by_role("button").click()
    expect(other).to_be_hidden()
    page.reload()
    expect(page.get_by_role("application")).to_be_visible()
    expect(page.locator(".table")).not_to_have_attribute("inert", "")


def test_a_log_goes_on_when_the_screen_is_passed(house: House, sit: Sit) -> None:
    """What both may read is there for whoever sits down, and no line of the log is asked for again."""
    made = house.table(game="crossroads", scenario="morning", hotseat=True)
    page = sit(made, "amber").page
    shown, asked = page.get_by_role("log"), list[str]()
    page.on("request", lambda request: asked.append(request.url) if "/log?" in request.url else None)
    made.act(["stake", "amber-3"], "amber")
    made.act(["stake", "cobalt-1"], "cobalt")
    told: Any = house.get(f"/api/tables/{made.id}/log", made.tokens["amber"])
    assert len(told) > 2
    for line in told[-2:]:
        expect(shown).to_contain_text(line["text"])
    assert not asked


def test_d31_no_button_that_never_works(house: House, sit: Sit) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german")
    table.tab("Chat")
    expect(table.page.get_by_text("keeps its plans to itself")).to_be_visible()
    expect(table.page.get_by_role("button", name="What are you trying to do?")).to_have_count(0)
    made.resign("german")
    expect(table.page.get_by_role("button", name="What were you trying to do?")).to_be_visible()


def test_d19_the_battle_card_does_not_lie_on_the_next_attack(
    house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]
) -> None:
    """It folds to a line when one turns to another hex, and covers neither attackers nor target."""
    arranged = to_combat("0")
    before = len(arranged.answers)
    arranged.act(*next(words for words in arranged.options if words[0] == "target"))
    arranged.act(*next(words for words in arranged.options if words[0] == "join"))
    arranged.act("fight")
    while not any(words[0] == "target" for words in arranged.options):
        arranged.act(*arranged.options[0])
    made = house.table(*arranged.answers[:before], **LENINGRAD, seed="0", seats=PEOPLE)
    table = sit(made, "german")
    for answer in arranged.answers[before:]:
        made.act(answer)
    expect(table.news).to_be_visible()
    left = [words for words in answers(made.state("german")) if words[0] == "target"]
    table.click(left[0][1])
    expect(table.odds).to_be_visible()
    expect(table.news).to_have_class(re.compile("brief"))
    box = table.news.bounding_box()
    assert box is not None and box["height"] < 60
    x, y = table.spot(left[0][1])
    assert not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])
    # On a phone the map is half covered: the card folds when the phase of the battle is over.
    phone = sit(made, "watch", width=390, height=844)
    expect(phone.news).not_to_have_class(re.compile("brief"))
    assert barriers(phone.page) == ""
    made.act(["end"], "german")
    expect(phone.news).to_have_class(re.compile("brief"))


# By correspondence


def test_time_leave_and_the_claim(house: House, new_page: NewPage, sit: Sit) -> None:
    page = new_page(lang="fr")
    page.goto(house.url)
    page.get_by_label("Adversaire").select_option("friend")
    page.get_by_label("Délai par réponse").select_option("3")
    page.get_by_label("Congés par joueur").select_option("14")
    page.get_by_role("button", name="Jouer", exact=True).click()
    table = TablePage(page).ready()
    link = page.get_by_role("textbox", name=re.compile("^Invitation.*Soviétique$")).input_value()
    TablePage(new_page()).open(link)
    expect(table.bar).to_contain_text("reste 3 jours")
    table.bar.get_by_role("button", name=re.compile("^Joueurs")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Convenu : 3 jours par réponse, 14 jours de congé par joueur.")
    dialog.get_by_label("Jours").fill("5")
    dialog.get_by_role("button", name="Prendre congé").click()
    expect(dialog).to_contain_text("en congé jusqu’au")
    dialog.get_by_role("button", name="Je suis de retour").click()
    expect(dialog.get_by_role("button", name="Prendre congé")).to_be_visible()

    # Time that is up: the other may claim the game, or wait.
    made = house.table(**LENINGRAD, seats=PEOPLE, pace=1)
    waiting = sit(made, "soviet")
    claim = waiting.page.get_by_role("button", name="Claim the game")
    waiting.page.clock.install()
    waiting.page.reload()
    waiting.ready()
    waiting.page.clock.fast_forward(60_000)
    expect(claim).to_be_visible()
    assert barriers(waiting.page) == ""
    waiting.page.wait_for_timeout(1100)  # the second of the server's own time
    claim.click()
    expect(waiting.sentence).to_have_text("The German player lost on time: Soviet victory.")


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["18 hours left for your answer", "you have 7 days of it", "Your time is up"]),
        (
            "fr",
            ["Il vous reste 18 heures pour répondre", "il vous en reste 7 jours", "Votre délai est dépassé"],
        ),
    ],
)
def test_who_is_waited_for_is_warned_before_his_time_is_up(
    house: House, new_page: NewPage, lang: str, said: list[str]
) -> None:
    """On a phone, too, where the bar has no room for the clock."""
    hour = 3600
    made = house.table(
        ["stake", "amber-3"],
        ["stake", "cobalt-1"],
        seats={"amber": "human", "cobalt": "human"},
        pace=48 * hour,
        leave=7 * 24 * hour,
    )
    for later, lines in ((10, []), (30, said[:2]), (50, said[2:])):
        page = new_page(lang=lang, width=390, height=844)
        page.clock.install(time=time.time() + later * hour - 120)
        table = TablePage(page).open(made.link("amber"))
        for text in lines:
            expect(page.get_by_text(text)).to_be_visible()
        if not lines:
            expect(table.dock).to_be_visible()
            expect(page.get_by_text(re.compile("left for your answer|pour répondre"))).to_be_hidden()
        assert barriers(page) == ""


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            {
                "Urgent": ["against Boris", "Your turn", "3 hours left"],
                "Calm": ["against Boris", "Your turn", "6 days left"],
                "Theirs": ["Waiting for Boris (Cobalt)", "on leave until"],
                "Empty": ["Your turn", "Waiting for an opponent"],
                "region": ["Your games", "Finished games (1)", "How it ended"],
            },
        ),
        (
            "fr",
            {
                "Urgent": ["contre Boris", "À vous", "reste 3 heures"],
                "Calm": ["contre Boris", "À vous", "reste 6 jours"],
                "Theirs": ["On attend Boris (Cobalt)", "en congé jusqu’au"],
                "Empty": ["À vous", "En attente d’un adversaire"],
                "region": ["Vos parties", "Parties terminées (1)", "Bilan de la partie"],
            },
        ),
    ],
)
def test_the_lobby_says_which_game_waits_for_whom_and_how_long(
    house: House, new_page: NewPage, lang: str, said: dict[str, list[str]]
) -> None:
    """The most urgent first; what is over is folded away."""
    day = 86_400
    wish: dict[str, Any] = {"seats": {"amber": "human", "cobalt": "human"}, "owner": "Anna"}
    stakes = (["stake", "amber-3"], ["stake", "cobalt-1"])
    calm = house.table(*stakes, name="Calm", pace=6 * day + 3600, **wish)
    urgent = house.table(*stakes, name="Urgent", pace=3 * 3600 + 600, **wish)
    # One of two who are asked at the same time has answered.
    theirs = house.table(stakes[0], name="Theirs", pace=day, leave=7 * day, **wish)
    over = house.table(*stakes, name="Over", **wish)
    over.resign("cobalt")
    for made in (calm, urgent, theirs, over):
        house.put(f"/api/tables/{made.id}/name", {"name": "Boris"}, made.tokens["cobalt"])
    house.post(f"/api/tables/{theirs.id}/leave-of-absence", {"days": 5}, theirs.tokens["cobalt"])
    empty = house.post("/api/tables", {"game": "crossroads", "name": "Empty", **wish})
    page = new_page(lang=lang)
    seats = {made.id: made.tokens["amber"] for made in (calm, over, theirs, urgent)}
    seats[empty["table"]] = empty["seats"]["amber"]
    page.goto(house.url)
    page.evaluate(
        "(seats) => { for (const [id, token] of seats) localStorage.setItem(`grognard.seat.${id}`, token); }",
        list(seats.items()),
    )
    page.reload()
    region = page.get_by_role("region", name=said["region"][0])
    lines = region.get_by_role("listitem")
    expect(lines).to_have_count(4)
    for name in ("Urgent", "Calm", "Theirs", "Empty"):
        for text in said[name]:
            expect(lines.filter(has_text=name)).to_contain_text(text)
    order = [line.get_by_role("link").first.inner_text() for line in lines.all()]
    assert order[:2] == ["Urgent", "Calm"]
    expect(page).to_have_title("● 3 · Grognard")
    region.get_by_text(said["region"][1]).click()
    expect(region.get_by_role("link", name=said["region"][2])).to_be_visible()
    assert barriers(page) == ""
    for width in (820, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
