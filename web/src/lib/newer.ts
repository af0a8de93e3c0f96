/** A server that has been replaced by a newer one no longer has the parts of the page that were not fetched before. */

const KEY = "grognard.renewed";
/** Within so many milliseconds the page is not fetched anew a second time. */
const ENOUGH = 60_000;

/** A part of the page. If it is missing, all of the page is fetched anew: once, and only from a server that answers. */
export async function part<T>(fetched: () => Promise<T>): Promise<T> {
  try {
    return await fetched();
  } catch (error) {
    if (!(await renewable())) throw error;
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
    return new Promise(() => undefined);
  }
}

async function renewable(): Promise<boolean> {
  if (Date.now() - Number(sessionStorage.getItem(KEY)) < ENOUGH) return false;
  return fetch("/", { cache: "no-store" }).then(({ ok }) => ok, () => false);
}
