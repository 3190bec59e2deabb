/** Questions in which a few seats add up for the others, who may go once they have answered. */
import type { Question } from "../core/contract.ts";

/** How many seats add up, and how many of them open the sum: fewer read nothing. */
export interface Adding {
  computers: number;
  enough: number;
}

/** `null` where everyone adds up. Parameters that the host left out have the service's defaults. */
export function adding(question: Question | undefined): Adding | null {
  if (question?.service !== "shares") return null;
  const { computers, scheme, threshold } = question.params;
  const all = Number(computers || 3);
  return { computers: all, enough: scheme === "shamir" ? Number(threshold || 2) : all };
}

/** So much of a key as people compare. */
export const shortKey = (key: string): string => key.slice(0, 8);
