/**
 * Base of all elements: light DOM, so that labels, headings and live regions belong to one tree
 * for screen readers and one stylesheet holds the look.
 */
import { LitElement } from "lit";
import type { Session } from "../room/session.ts";

export class View extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Puts the focus on the screen's heading, so that keyboards and screen readers start there. */
  protected focusHeading(): void {
    this.querySelector<HTMLElement>("[data-heading]")?.focus({ preventScroll: false });
  }
}

/** A view of a room: renders again whenever something changed in it. */
export class RoomView extends View {
  static override properties = { session: { attribute: false } };
  declare session: Session;

  readonly #changed = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.session.addEventListener("change", this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.session.removeEventListener("change", this.#changed);
  }
}

/** A view with stages: the focus follows to the heading of each new one. */
export abstract class StagedView extends RoomView {
  #stage = "";

  /** Names what the person sees; a change of name is a change of screen. */
  protected abstract stageKey(): string;

  protected override updated(): void {
    const stage = this.stageKey();
    if (stage === this.#stage) return;
    this.#stage = stage;
    if (!this.#typing()) this.focusHeading();
  }

  /** A person in the middle of a word is not pulled out of it. */
  #typing(): boolean {
    const active = document.activeElement;
    const isField = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
    return isField && this.contains(active) && active.value !== "";
  }
}
