/** Messages to this browser: from the server while the page is closed, from the page itself while it is hidden. */
import type { Target } from "./account.svelte";

export const mayPush = (): boolean => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Why this browser takes no messages; a code of the page's texts. */
export class NoPush extends Error {}

async function worker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register("/sw.js");
  return navigator.serviceWorker.ready;
}

/** Ask the browser to take messages of this server, which signs with a key. */
export async function subscribe(key: string): Promise<Target> {
  if ((await Notification.requestPermission()) !== "granted") throw new NoPush("notices.forbidden");
  try {
    const found = await (await worker()).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = found.toJSON();
    return { push: { endpoint: endpoint!, p256dh: keys!["p256dh"]!, auth: keys!["auth"]! } };
  } catch {
    throw new NoPush("notices.no-service");
  }
}

export async function unsubscribe(): Promise<void> {
  const found = await navigator.serviceWorker.getRegistration("/");
  await (await found?.pushManager.getSubscription())?.unsubscribe();
}

/** Say something while the page is open but not in sight, if the browser has allowed it. */
export async function announce(title: string, text: string, link: string): Promise<void> {
  if (!document.hidden || !mayPush() || Notification.permission !== "granted") return;
  const found = await worker().catch(() => null);
  await found?.showNotification(title, { body: text, tag: link, icon: "/icon.svg", data: { link } });
}
