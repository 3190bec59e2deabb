import { expect, test } from "vitest";
import type { ServiceInfo } from "../../src/core/contract.ts";
import { forPeople } from "../../src/parts/services.ts";

test("what most rooms ask comes first, in the core's order, and nothing for developers", () => {
  const service = (name: string, module: string, audience: ServiceInfo["audience"] = "people") =>
    ({ name, module, audience }) as ServiceInfo;
  const all = [service("echo", "sums", "developers"), service("kdk", "groups"), service("kdk-pairing", "pairing", "developers"), service("mean", "sums"), service("pcl", "groups"), service("sum", "sums")];
  expect(forPeople(all).map(({ name }) => name)).toEqual(["mean", "sum", "kdk", "pcl"]);
});
