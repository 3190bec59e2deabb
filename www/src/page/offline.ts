/**
 * Registers the service worker, where the origin allows one, and decides when a new version may
 * take over: never while a room is open.
 */
import { scriptUrl } from "./trusted.ts";

/** What the page asks of its waiting successor; it refuses while other tabs are open. */
export const TAKE_OVER = "take-over";

/** `busy` says whether a room is open in this tab. */
export async function registerOffline(busy: () => boolean): Promise<void> {
  const container = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (!container || !import.meta.env.PROD) return;
  const controlled = container.controller !== null;
  container.addEventListener("controllerchange", () => {
    // The old page's lazy parts are gone from the new cache, so an idle page starts afresh.
    if (controlled && !busy()) location.reload();
  });
  try {
    const registration = await container.register(scriptUrl("/sw.js"));
    if (!busy()) registration.waiting?.postMessage(TAKE_OVER);
  } catch {
    // A certificate warning that was clicked away leaves no service worker: the page works without.
  }
}
