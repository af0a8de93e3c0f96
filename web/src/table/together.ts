/** Marches that are shown at the same time, where there is no time to show one after the other. */
import type { Point } from "../map/geometry";
import type { Deed } from "./deeds";

/** How much of the map is in sight, in hex widths. */
export type Room = readonly [number, number];

/** Deeds in groups that are shown together: of marches that follow one another without anything else between them, those
 *  that can be seen in one view. The order in which a unit does things is kept. */
export function together(
  deeds: readonly Deed[], walks: (deed: Deed) => boolean, silent: (deed: Deed) => boolean,
  spot: (hex: string) => Point | undefined, room: Room,
): Deed[][] {
  const found: Deed[][] = [];
  for (let k = 0; k < deeds.length; ) {
    let end = k;
    while (end < deeds.length && (walks(deeds[end]!) || (end > k && silent(deeds[end]!)))) end++;
    if (end === k) found.push([deeds[k++]!]);
    else {
      found.push(...inViews(deeds.slice(k, end).filter(walks), spot, room));
      k = end;
    }
  }
  return found;
}

function inViews(marches: readonly Deed[], spot: (hex: string) => Point | undefined, room: Room): Deed[][] {
  const found: Deed[][] = [];
  let left = [...marches];
  while (left.length) {
    const group: Deed[] = [];
    const later: Deed[] = [];
    /** Who has something to do first, in this group or in one to come. */
    const busy = new Set<string>();
    const box = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
    for (const deed of left) {
      const wider = grown(box, deed, spot);
      const fits = wider[2] - wider[0] <= room[0] && wider[3] - wider[1] <= room[1];
      if ((fits || !group.length) && !deed.units.some((unit) => busy.has(unit))) {
        group.push(deed);
        box.splice(0, 4, ...wider);
      } else later.push(deed);
      for (const unit of deed.units) busy.add(unit);
    }
    found.push(group);
    left = later;
  }
  return found;
}

function grown(box: readonly number[], deed: Deed, spot: (hex: string) => Point | undefined): [number, number, number, number] {
  const points = deed.path.flatMap((hex) => spot(hex) ?? []);
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  return [Math.min(box[0]!, ...xs), Math.min(box[1]!, ...ys), Math.max(box[2]!, ...xs), Math.max(box[3]!, ...ys)];
}
