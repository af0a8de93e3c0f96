/** A server that has been replaced by a newer one no longer has the parts of the page that were not fetched before. */

const KEY = "grognard.renewed";
/** Within so many milliseconds the page is not fetched anew a second time. */
const ENOUGH = 60_000;

/** When a part of the page is missing, fetch all of it anew: once, and only from a server that answers. */
export function onceNewer(): void {
  addEventListener("vite:preloadError", () => {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < ENOUGH) return;
    void fetch("/", { method: "GET", cache: "no-store" }).then((answer) => {
      if (!answer.ok) return;
      sessionStorage.setItem(KEY, String(Date.now()));
      location.reload();
    }, () => undefined);
  });
}
