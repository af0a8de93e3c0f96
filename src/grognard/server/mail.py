"""Mail, where whoever runs the server has named a mail server."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

PATIENCE = 30.0
"""Seconds that a mail server may take to answer."""
PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}


class MailServer(NamedTuple):
    """Where mail is handed in, and from whom it comes."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    sender: str


def mail_server(url: str, sender: str) -> MailServer | None:
    """A mail server from `smtp+starttls://user:password@host:port`; None if none is named."""
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname or "@" not in sender:
        raise ValueError("a mail server is smtp://, smtp+starttls:// or smtps://, and has a sender")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.scheme, parts.hostname, parts.port or PORTS[parts.scheme], user, password, sender)


def letter(sender: str, to: str, subject: str, text: str, stop: str) -> EmailMessage:
    """A letter with a way to stop them, for people and for mail programs."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"] = f"<{stop}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(text)
    return message


def send(server: MailServer, message: EmailMessage) -> None:
    """Hand a letter in; raises OSError or SMTPException if it was not taken."""
    safe = ssl.create_default_context()
    line: smtplib.SMTP
    if server.scheme == "smtps":
        line = smtplib.SMTP_SSL(server.host, server.port, timeout=PATIENCE, context=safe)
    else:
        line = smtplib.SMTP(server.host, server.port, timeout=PATIENCE)
    with line:
        if server.scheme == "smtp+starttls":
            line.starttls(context=safe)
        if server.user:
            line.login(server.user, server.password)
        line.send_message(message)
