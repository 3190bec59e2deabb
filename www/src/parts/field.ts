/** A labelled text field with its hint and its error, tied together for screen readers. */
import { html, nothing, type TemplateResult } from "lit";

export interface Field {
  id: string;
  name: string;
  label: string;
  value: string;
  hint?: string | undefined;
  suffix?: string | undefined;
  error?: string | undefined;
  mode?: "text" | "decimal" | "numeric";
  placeholder?: string;
  maxLength?: number;
}

/** `value` is the starting text: what a person types after that is left alone. */
export function field(f: Field): TemplateResult {
  return html`<div class="field" ?data-invalid=${!!f.error}>
    <label for=${f.id}>${f.label}</label>
    ${hint(f)}
    <span class="control">
      <input
        id=${f.id}
        name=${f.name}
        type="text"
        value=${f.value}
        inputmode=${f.mode ?? "text"}
        placeholder=${f.placeholder ?? nothing}
        maxlength=${f.maxLength ?? nothing}
        autocomplete="off"
        aria-invalid=${f.error ? "true" : nothing}
        aria-describedby=${describedBy(f)}
      />
      ${f.suffix ? html`<span class="suffix" aria-hidden="true">${f.suffix}</span>` : nothing}
    </span>
    ${errorLine(f.id, f.error)}
  </div>`;
}

/** The place of an error. It is always there, so that a screen reader hears it fill. */
export function errorLine(id: string, error: string | undefined): TemplateResult {
  return html`<p class="error" id="${id}-error" aria-live="polite">${error ?? ""}</p>`;
}

export function describedBy(f: { id: string; hint?: string | undefined }): string {
  return f.hint ? `${f.id}-hint ${f.id}-error` : `${f.id}-error`;
}

function hint(f: Field): TemplateResult | typeof nothing {
  return f.hint ? html`<p class="hint" id="${f.id}-hint">${f.hint}</p>` : nothing;
}
