/** Icons as inline SVG. Each stands beside words, so all are hidden from screen readers. */
import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";

function icon(shape: SVGTemplateResult): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${shape}</svg>`;
}

export const icons = {
  device: icon(svg`<rect x="6" y="2.5" width="12" height="19" rx="2.5" /><path d="M10.5 18.5h3" />`),
  shield: icon(svg`<path d="M12 3l7.5 2.8v5.4c0 4.6-3 8-7.5 9.8-4.5-1.8-7.5-5.2-7.5-9.8V5.8z" /><path d="M8.5 12l2.5 2.5 4.5-5" />`),
  open: icon(svg`<path d="M12 3l7.5 2.8v5.4c0 4.6-3 8-7.5 9.8-4.5-1.8-7.5-5.2-7.5-9.8V5.8z" /><path d="M12 8v4.5M12 15.8v.2" />`),
  check: icon(svg`<path d="M4.5 12.5l5 5 10-11" />`),
  cross: icon(svg`<path d="M6 6l12 12M18 6L6 18" />`),
  warn: icon(svg`<path d="M12 3.5L22 20.5H2z" /><path d="M12 10v4.5M12 17.3v.2" />`),
  clock: icon(svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 7.5V12l3 2" />`),
  relay: icon(svg`<rect x="3.5" y="4" width="17" height="7" rx="1.5" /><rect x="3.5" y="13" width="17" height="7" rx="1.5" /><path d="M7 7.5h.2M7 16.5h.2" />`),
  out: icon(svg`<path d="M4 12h14M12.5 6l6 6-6 6" />`),
};
