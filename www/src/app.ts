/** The page: its frame, which screen is shown, and what is said aloud. */
import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { CoreError } from "./core/client.ts";
import { relayAddress } from "./page/relay.ts";
import { seatAddress, type Aside } from "./page/route.ts";
import { View } from "./parts/view.ts";
import { announcement } from "./room/announce.ts";
import { Session, type Spawn } from "./room/session.ts";
import { underWay, type RoomState } from "./room/state.ts";
import { t } from "./strings/index.ts";
import "./screens/start.ts";

type Screen = "start" | "back" | "ask" | "room" | "join" | "elsewhere" | Aside;

export class App extends View {
  static override properties = {
    spawn: { attribute: false },
    screen: { state: true },
    spoken: { state: true },
    linkDown: { state: true },
    lost: { state: true },
  };
  /** Makes a client with its worker; set by whoever puts the app on the page. */
  declare spawn: Spawn;
  declare screen: Screen;
  declare spoken: string;
  declare linkDown: boolean;
  /** A seat was looked for that this browser does not keep. */
  declare lost: boolean;
  #session: Session | undefined;

  constructor() {
    super();
    this.screen = "start";
    this.spoken = "";
    this.linkDown = false;
    this.lost = false;
  }

  /** Whether a room is open in this tab, or about to be. */
  get busy(): boolean {
    return this.#session !== undefined;
  }

  /** Goes to the room of an invite or code, unless that would end a room that this tab hosts. */
  join(invite: string): void {
    if (this.screen === "room") return this.#keepAddress();
    const session = this.#start("guest");
    void this.#show("join");
    session.join(invite).then(this.#keepAddress, (thrown: unknown) => this.#notBack(session, thrown));
  }

  /** Goes back to a seat that this browser keeps; `steal` takes it from another tab. */
  resume(seat: string, steal = false): void {
    // The back button leads to a seat of before: that is no reason to give up the one of now.
    if (this.#sits && !steal) return this.#keepAddress();
    const session = this.#start("guest");
    this.screen = "back";
    session.resume(seat, { steal }).then(
      () => this.#show(session.role === "host" ? "room" : "join"),
      (thrown: unknown) => this.#notBack(session, thrown),
    );
  }

  /** Whether this tab speaks for a seat, or is about to. */
  get #sits(): boolean {
    const session = this.#session;
    return session !== undefined && session.seat !== "" && !session.state.closed && !session.state.elsewhere;
  }

  /** What is gone is said at the start, where there is a way back in. */
  #notBack(session: Session, thrown: unknown): void {
    if (thrown instanceof CoreError && thrown.code === "seat-gone") return this.#forget(session);
    session.fail(thrown);
    if (!session.state.elsewhere && this.screen === "back") void this.#show("join");
  }

  #forget(session: Session): void {
    if (session !== this.#session) return;
    session.client.terminate();
    this.#session = undefined;
    this.lost = true;
    this.screen = "start";
    history.replaceState(history.state, "", location.pathname);
  }

  /** Shows a screen that needs no room, or goes back from it. It never ends a room of this tab. */
  visit(screen: Aside | undefined): void {
    if (this.#session) return this.#keepAddress();
    if (screen) void this.#show(screen);
    else this.screen = "start";
  }

  /** The page is in front again, or the network is back. */
  wake(): void {
    this.#session?.wake();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#back);
    addEventListener("beforeunload", this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#back);
    removeEventListener("beforeunload", this.#leaving);
  }

  protected override render(): TemplateResult {
    return html`<a class="skip" href="#content" @click=${this.#skip}>${t.app.skip}</a>
      <header class="top">
        <a class="wordmark" href="/" aria-label=${t.app.home}>${mark()}<span>${t.app.name}</span></a>
        ${this.#warnings()}
      </header>
      <main id="content" tabindex="-1">${this.#outlet()}</main>
      <p class="sr" role="status" aria-live="polite">${this.spoken}</p>
      ${footer()}`;
  }

  #warnings(): TemplateResult {
    return html`${isSecureContext ? nothing : html`<p class="warning">${t.app.plainHttp}</p>`}
    ${this.#session?.unkept ? html`<p class="warning">${t.seat.unkept}</p>` : nothing}
    ${this.linkDown ? html`<p class="warning">${t.progress.linkDown}</p>` : nothing}`;
  }

  #outlet(): TemplateResult {
    const session = this.#session;
    if (this.screen === "verify") return html`<ut-verify></ut-verify>`;
    if (this.screen === "bench") return html`<ut-bench></ut-bench>`;
    if (this.screen === "start" || !session) {
      return html`<ut-start .lost=${this.lost} @door-ask=${this.#ask} @door-join=${this.#joinDoor}></ut-start>`;
    }
    if (this.screen === "elsewhere") return html`<ut-elsewhere @take-over=${this.#takeOver}></ut-elsewhere>`;
    if (this.screen === "back") return back();
    return html`${keyed(session, this.#room(session))}`;
  }

  #room(session: Session): TemplateResult {
    if (this.screen === "ask") return html`<ut-ask .session=${session} @room-open=${this.#opened}></ut-ask>`;
    if (this.screen === "room") return html`<ut-room .session=${session}></ut-room>`;
    return html`<ut-join .session=${session}></ut-join>`;
  }

  readonly #ask = (): void => {
    this.#start("host");
    void this.#show("ask");
    history.pushState("ask", "");
  };

  readonly #joinDoor = (event: CustomEvent<string>): void => this.join(event.detail);

  readonly #opened = (): void => {
    this.#keepAddress();
    void this.#show("room");
  };

  readonly #takeOver = (): void => this.resume(this.#session?.seat ?? "", true);

  /** A reload finds its seat by the address, which holds no secret. */
  readonly #keepAddress = (): void => {
    const session = this.#session;
    const kept = session && session.seat !== "" && (!session.state.closed || session.state.kept);
    history.replaceState(history.state, "", location.pathname + (kept ? seatAddress(session.seat) : ""));
  };

  #start(role: "host" | "guest"): Session {
    void this.#session?.end();
    [this.lost, this.linkDown] = [false, false];
    const session = new Session({ spawn: this.spawn, relay: relayAddress(location), role });
    session.addEventListener("change", this.#changed);
    this.#session = session;
    return session;
  }

  /** Loads the screen's code, then shows it: a participant never loads the host's half. */
  async #show(screen: Screen): Promise<void> {
    const session = this.#session;
    if (screen === "elsewhere") await import("./screens/elsewhere.ts");
    if (screen === "join") await import("./screens/join.ts");
    if (screen === "verify") await import("./screens/verify.ts");
    if (screen === "bench") await import("./screens/bench.ts");
    if (screen === "ask" || screen === "room") await import("./screens/host.ts");
    if (session === this.#session) this.screen = screen;
  }

  readonly #changed = (event: Event): void => {
    const { previous, next } = (event as CustomEvent<{ previous: RoomState; next: RoomState }>).detail;
    this.spoken = announcement(previous, next) ?? this.spoken;
    this.linkDown = next.link === "down" && !next.closed && !next.elsewhere;
    if (next.elsewhere && !previous.elsewhere) void this.#show("elsewhere");
    if (next.closed && !previous.closed) this.#keepAddress();
    this.requestUpdate();
  };

  readonly #back = (): void => {
    if (this.screen !== "ask") return;
    void this.#session?.end();
    this.#session = undefined;
    this.screen = "start";
  };

  readonly #leaving = (event: BeforeUnloadEvent): void => {
    if (this.#session && underWay(this.#session.state, this.#session.seat !== "")) event.preventDefault();
  };

  readonly #skip = (event: Event): void => {
    // A real jump would put `#content` where invites go.
    event.preventDefault();
    this.querySelector<HTMLElement>("#content")?.focus();
  };
}

/** While a seat is taken up again. */
function back(): TemplateResult {
  return html`<div class="narrow">
    <header class="screen-head"><h1 tabindex="-1" data-heading>${t.seat.back}</h1></header>
    <progress aria-label=${t.seat.back}></progress>
  </div>`;
}

/** The wordmark's sign: masked dots above, one plain line below. */
function mark(): TemplateResult {
  return html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="5" cy="6" r="2.4" opacity=".45" />
    <circle cx="12" cy="5" r="1.5" opacity=".8" />
    <circle cx="19" cy="7" r="2.6" opacity=".3" />
    <circle cx="6" cy="12.5" r="1.4" opacity=".9" />
    <circle cx="12.5" cy="12" r="2.5" opacity=".5" />
    <circle cx="19" cy="13" r="1.6" opacity=".7" />
    <rect x="2" y="18.4" width="20" height="2.6" rx="1.3" />
  </svg>`;
}

function footer(): TemplateResult {
  const build = document.querySelector<HTMLMetaElement>('meta[name="undertone-build"]')?.content ?? "";
  return html`<footer class="foot">
    <span>${t.app.nothingElse}</span>
    <span class="code" data-build>${t.app.build(build)}</span>
  </footer>`;
}

customElements.define("ut-app", App);
