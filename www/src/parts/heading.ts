/** The screen's heading: where we are, and the question that it is about. */
import { html, type TemplateResult } from "lit";

/** Both are one heading, so that a screen reader that is put there says both. */
export function heading(news: string, question: string | undefined): TemplateResult {
  if (!question) return html`<h1 tabindex="-1" data-heading>${news}</h1>`;
  return html`<h1 tabindex="-1" data-heading>
    <span class="eyebrow">${news}</span> <span class="question">${question}</span>
  </h1>`;
}
