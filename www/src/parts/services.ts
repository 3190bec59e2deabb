/** Which services the form offers, and in which order. */
import type { ServiceInfo } from "../core/contract.ts";

/** What most rooms ask comes first: it is what the small module holds. */
const COMMON_MODULE = "sums";

export function forPeople(services: ServiceInfo[]): ServiceInfo[] {
  const people = services.filter(({ audience }) => audience === "people");
  return people.sort((a, b) => Number(b.module === COMMON_MODULE) - Number(a.module === COMMON_MODULE));
}
