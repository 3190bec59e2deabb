/** How well the roster is verified: a sentence with an icon, never only a colour. */
import { html, type TemplateResult } from "lit";
import type { Tier } from "../core/contract.ts";
import { t } from "../strings/index.ts";
import { icons } from "./icons.ts";

export function tierLine(tier: Tier): TemplateResult {
  const icon = tier === "unverified" ? icons.open : icons.shield;
  return html`<p class="line" data-tier=${tier}>${icon}<span>${t.result.tier[tier]}</span></p>`;
}
