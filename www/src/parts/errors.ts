/** Refusals as sentences: the core's own where it has one. */
import { CoreError } from "../core/client.ts";
import { t } from "../strings/index.ts";

export function sentence(thrown: unknown): string {
  if (!(thrown instanceof CoreError)) return t.fault.unknown;
  return thrown.message || generic(thrown.code);
}

function generic(code: string): string {
  if (code === "core-stopped") return t.fault.stopped;
  if (code === "ended" || code === "no-room") return t.fault.gone;
  return t.fault.unknown;
}
