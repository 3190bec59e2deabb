/** What a screen reader says when the room changes; null where silence is better. */
import { t } from "../strings/index.ts";
import { missing, type RoomState } from "./state.ts";

/** More than that nobody wants to hear at once. */
const FIGURES_SPOKEN_MAX = 20;

export function announcement(previous: RoomState, next: RoomState): string | null {
  return (
    linkChange(previous, next) ??
    resultChange(previous, next) ??
    faultChange(previous, next) ??
    runChange(previous, next) ??
    lobbyChange(previous, next)
  );
}

function linkChange(previous: RoomState, next: RoomState): string | null {
  if (previous.link === next.link || previous.link === "connecting") return null;
  return next.link === "down" ? t.progress.linkDown : t.progress.linkUp;
}

function resultChange(previous: RoomState, next: RoomState): string | null {
  if (previous.result || !next.result) return null;
  return t.result.announce(figuresInWords(next));
}

function figuresInWords(state: RoomState): string {
  const figures = state.result?.figures ?? [];
  if (figures.length > FIGURES_SPOKEN_MAX) return t.result.many(figures.length);
  return figures.map((f) => `${f.label || (t.result.figures[f.name] ?? f.name)} ${f.value} ${f.unit}`.trim()).join(", ");
}

function faultChange(previous: RoomState, next: RoomState): string | null {
  if (previous.fault || !next.fault) return null;
  return next.fault.message || t.fault.unknown;
}

function runChange(previous: RoomState, next: RoomState): string | null {
  if (!previous.list && next.list) return t.progress.locked(next.list.seats);
  const { progress } = next;
  if (!progress || previous.progress?.sent === progress.sent) return null;
  if (progress.sent === 0) return null;
  const words = `${t.progress.sent(progress.sent, progress.of)}.`;
  return `${words} ${t.progress.missing(missing(next) ?? 0)}.`;
}

function lobbyChange(previous: RoomState, next: RoomState): string | null {
  if (next.list || !next.lobby || previous.lobby?.joined === next.lobby.joined) return null;
  return t.progress.people(next.lobby.joined);
}
