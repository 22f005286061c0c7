// The map of the 50 states as an SVG file: one group per state, identified by its code, with its
// shape and label. Pages reference the groups (`<use>`), which inherit fill and stroke; labels use
// the text color.
import { drawMap, placeOnMap, type StateShape } from './outlines.ts';

type NamedState = { name: string; code: string };
type Point = [x: number, y: number];

/** Label positions for states that are too small for their label. */
const callouts: Record<string, Point> = {
  VT: [806, 88],
  NH: [846, 66],
  MA: [946, 196],
  RI: [946, 232],
  CT: [946, 268],
  NJ: [946, 304],
  DE: [946, 340],
  MD: [946, 376],
};

/** Offsets of labels that look wrong at the centroid. */
const labelOffsets: Record<string, Point> = {
  AK: [0, -8],
  CA: [-6, 6],
  FL: [16, 4],
  HI: [22, -10],
  ID: [0, 20],
  KY: [6, 1],
  LA: [-12, -2],
  MI: [8, 18],
  MN: [-4, 4],
  NY: [4, -4],
  VA: [6, 4],
  WV: [-2, 4],
};

/**
 * An SVG sprite: a file of elements to reference, never shown itself. Outside of a hidden `svg`,
 * Chromium styles and lays out all of them when the file has arrived, in spite of `display="none"`
 * on the root or on a `g`.
 */
const sprite = (title: string, elements: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><title>${title}</title><svg aria-hidden="true" display="none">${elements.join('')}</svg></svg>`;

/** Renders the SVG file. */
export function drawMapPicture(states: NamedState[]): string {
  const drawn = drawMap();
  const groups = states.map(({ name, code }) => {
    const shape = drawn.get(name);
    if (!shape) throw new Error(`the atlas has no "${name}"`);
    return `<g id="${code}"><path d="${shape.d}"/>${label(code, shape)}</g>`;
  });
  return sprite('The 50 states', groups);
}

/** A dot within a pale disk: the stroke lies on both sides of the circle's edge. */
const mark = 'r="8" fill="#ffb224" stroke="#ffb224" stroke-opacity=".35" stroke-width="28"';

/**
 * Renders the outlines of all states as one shape, `states`, and the marks of the cities on it,
 * identified by state and name: `TX-Houston`.
 */
export function drawCities(cities: Record<string, Record<string, Point>>): string {
  const outlines = [...drawMap().values()].map(({ d }) => d);
  const marks = Object.entries(cities).flatMap(([code, places]) =>
    Object.entries(places).map(([city, at]) => {
      const [x, y] = placeOnMap(at);
      return `<circle id="${code}-${city}" cx="${x}" cy="${y}" ${mark}/>`;
    }),
  );
  return sprite('The 50 states and their cities', [`<path id="states" d="${outlines.join('')}"/>`, ...marks]);
}

function label(code: string, { x, y }: StateShape): string {
  const callout = callouts[code];
  const [stepX, stepY] = labelOffsets[code] ?? [0, 0];
  const [textX, textY] = callout ?? [x + stepX, y + stepY];
  const box = callout
    ? `<path d="M${x} ${y}L${textX} ${textY}" stroke="var(--ink-line)" pointer-events="none"/>` +
      `<rect x="${textX - 20}" y="${textY - 17}" width="40" height="34" rx="3"/>`
    : '';
  return `${box}<text x="${textX}" y="${textY + 4}" fill="currentColor" stroke="none">${code}</text>`;
}
