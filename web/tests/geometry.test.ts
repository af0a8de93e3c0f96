import { expect, test } from "vitest";
import { Camera } from "../src/map/camera";
import { HexIndex } from "../src/map/geometry";

const HALF = Math.sqrt(3) / 2;

/** A flat-topped patch in which odd columns stand half a hex lower. */
function patch() {
  const hexes: Record<string, { x: number; y: number; terrain: string; features: string[]; name: string }> = {};
  for (let column = 1; column <= 6; column++) {
    for (let row = 1; row <= 6; row++) {
      const number = `${String(column).padStart(2, "0")}${String(row).padStart(2, "0")}`;
      hexes[number] = { x: column * HALF, y: row + (column % 2) / 2, terrain: "clear", features: [], name: "" };
    }
  }
  return hexes;
}

test("inner hexes have six neighbours, corners fewer", () => {
  const index = new HexIndex(patch());
  expect(index.neighbours("0303")).toHaveLength(6);
  expect(index.neighbours("0101").length).toBeLessThan(6);
});

test("a point belongs to the nearest centre, and nothing lies beyond the edge", () => {
  const hexes = patch();
  const index = new HexIndex(hexes);
  expect(index.at(hexes["0402"]!.x + 0.2, hexes["0402"]!.y - 0.2)).toBe("0402");
  expect(index.at(-3, -3)).toBeNull();
});

test("arrows always have an answer inside the map, and lead back", () => {
  const index = new HexIndex(patch());
  expect(index.towards("0303", 0, -1)).toBe("0302");
  expect(index.towards("0302", 0, 1)).toBe("0303");
  expect(index.towards("0303", 1, 0)).not.toBeNull();
  expect(index.towards("0101", -1, 0)).toBeNull();
});

test("zooming keeps the point under the pointer in place", () => {
  const camera = new Camera([0, 0, 30, 20]);
  [camera.width, camera.height] = [800, 600];
  camera.fit();
  camera.zoom(3, { x: 400, y: 300 });
  const before = camera.toWorld({ x: 420, y: 280 });
  camera.zoom(1.3, { x: 420, y: 280 });
  const after = camera.toWorld({ x: 420, y: 280 });
  expect(after.x).toBeCloseTo(before.x);
  expect(after.y).toBeCloseTo(before.y);
});

test("the map cannot be lost out of sight", () => {
  const camera = new Camera([0, 0, 30, 20]);
  [camera.width, camera.height] = [800, 600];
  camera.fit();
  camera.zoom(4, { x: 400, y: 300 });
  camera.pan(99999, 99999);
  const corner = camera.toScreen({ x: 0, y: 0 });
  expect(corner.x).toBeLessThan(800);
  expect(corner.y).toBeLessThan(600);
});
