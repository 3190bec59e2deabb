/** Starts the app: styles, the invite or seat of this page load, and what keeps a room awake. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/screens.css";
import workerUrl from "./core/worker.ts?worker&url";
import { App } from "./app.ts";
import { Client } from "./core/client.ts";
import { takeInvite } from "./page/invite.ts";
import { registerOffline } from "./page/offline.ts";
import { asideOf, seatOf } from "./page/route.ts";
import { scriptUrl } from "./page/trusted.ts";
import { watchWaking } from "./page/waking.ts";

const spawn = (): Client => new Client(new Worker(scriptUrl(workerUrl), { type: "module", name: "room" }));

const app = document.querySelector("ut-app") as App;
app.spawn = spawn;

const follow = (): void => {
  const [invite, seat] = [takeInvite(window), seatOf(location.hash)];
  if (invite) app.join(invite);
  else if (seat) app.resume(seat);
  else app.visit(asideOf(location.hash));
};
follow();
// A second invite opened in the same tab changes only the fragment.
addEventListener("hashchange", follow);

watchWaking(() => app.wake());

void registerOffline(() => app.busy);
