import { expect, test } from "vitest";
import type { Role, Verb } from "../src/lib/types";
import { asOrder } from "../src/table/orders";

const verb = (role: Role, ...kinds: string[]): Verb => ({ kinds, role, label: "", labels: {} });
const verbs = {
  lift: verb("take", "unit"), rush: verb("take", "unit"), with: verb("gather", "unit"), walk: verb("step", "hex"), down: verb("halt"),
  hit: verb("strike", "hex"), at: verb("aim", "hex"), too: verb("widen", "hex"), in: verb("join", "unit"), go: verb("commit"),
};

test("a stack that is taken up and walked is one order", () => {
  const actions = [["lift", "a"], ["with", "b"], ["walk", "0210"], ["walk", "0310"], ["down"]];
  expect(asOrder(actions, verbs)).toEqual({ order: "move", units: ["a", "b"], path: ["0210", "0310"] });
  expect(asOrder([["lift", "a"], ["walk", "0210"]], verbs)).toEqual({ order: "move", units: ["a"], path: ["0210"] });
});

test("an attack is one order", () => {
  const actions = [["at", "0310"], ["in", "a"], ["too", "0311"], ["in", "b"], ["go"]];
  expect(asOrder(actions, verbs)).toEqual({ order: "attack", targets: ["0310", "0311"], units: ["a", "b"], extras: {} });
});

test("anything else is played answer by answer", () => {
  expect(asOrder([["walk", "0210"], ["down"]], verbs)).toBeNull();
  expect(asOrder([["lift", "a"], ["walk", "0210"], ["hit", "0310"]], verbs)).toBeNull();
  expect(asOrder([["at", "0310"], ["in", "a"]], verbs)).toBeNull();
  expect(asOrder([["rush", "a"], ["walk", "0210"]], verbs)).toBeNull();
});
