/** What a service's `panel.ts` exports: a picture of its result, with the same content as text. */
import type { TemplateResult } from "lit";
import type { Figure, Question } from "../core/contract.ts";

export interface PanelModule {
  panel(figures: Figure[], included: number, question: Question): TemplateResult;
}
