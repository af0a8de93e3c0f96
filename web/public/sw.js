/* Shows what a server pushes while no page of it is open. It keeps nothing and answers for no address. */
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data ? event.data.json() : {};
  } catch {
    // Not ours; a browser wants every push to be shown all the same.
  }
  const text = (value) => (typeof value === "string" ? value : "");
  // Only addresses of this server are followed.
  const link = /^\/(?!\/)/.test(text(told.link)) ? told.link : "/";
  event.waitUntil(
    self.registration.showNotification(text(told.title) || "Grognard", {
      body: text(told.text),
      tag: text(told.tag) || "grognard",
      icon: "/icon.svg",
      data: { link },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.link ?? "/", self.location.origin).href;
  event.waitUntil(
    (async () => {
      const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      const there = open.find((client) => client.url.split(/[?#]/)[0] === url);
      if (there) return there.focus();
      return self.clients.openWindow(url);
    })(),
  );
});
