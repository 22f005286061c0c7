// The nearest states of those that border none, by the distance between cities.

/** A place in degrees. */
export type Place = [east: number, north: number];

/** The cities of each state, by its code (seeds/site/cities.json). */
export type Cities = Record<string, Record<string, Place>>;

/** The number of nearest states. */
const count = 2;

/** The codes of the states whose cities are nearest to those of the state `code`, nearest first. */
export function nearestStates(code: string, cities: Cities): string[] {
  const own = Object.values(cities[code] ?? {});
  const miles = (other: string) =>
    Math.min(...Object.values(cities[other] ?? {}).flatMap((to) => own.map((from) => distance(from, to))));
  return Object.keys(cities)
    .filter((other) => other !== code)
    .sort((one, two) => miles(one) - miles(two))
    .slice(0, count);
}

/** Miles along the great circle (haversine formula). */
export function distance([fromEast, fromNorth]: Place, [toEast, toNorth]: Place): number {
  const [north, south] = [radians(fromNorth), radians(toNorth)];
  const chord =
    Math.sin((south - north) / 2) ** 2 +
    Math.cos(north) * Math.cos(south) * Math.sin(radians(toEast - fromEast) / 2) ** 2;
  return 2 * 3958.8 * Math.asin(Math.sqrt(chord));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
