// The map of the 50 states: each a link with its name. Drawn at build time; a picture and a way in, beside the plain list.
// The shapes are a file of their own, which no page waits for: a third of Home would be theirs, and phones do not show them.
import map from 'virtual:us-map';
import shapes from '../../generated/us-map.svg';

type Place = [x: number, y: number];

/** States too small to hold their letters: where these stand instead, out at sea or to the north. */
const outside: Record<string, Place> = {
  VT: [806, 88],
  NH: [846, 66],
  MA: [946, 196],
  RI: [946, 232],
  CT: [946, 268],
  NJ: [946, 304],
  DE: [946, 340],
  MD: [946, 376],
};

/** Where the middle of a state is not where its letters look right: steps from there. */
const nudges: Record<string, Place> = {
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

export function UsMap() {
  return (
    <nav className="us-map" aria-label="Map of the states">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the nav around it has the name; a title here would cover the states' own */}
      <svg viewBox={`0 0 ${map.width} ${map.height}`} focusable="false">
        {map.states.map(({ slug, name, code, x, y }) => (
          <a key={code} href={`/states/${slug}`} aria-label={`${name}, ${code}`}>
            <title>{name}</title>
            <use href={`${shapes}#${code}`} />
            <Letters code={code} middle={[x, y]} />
          </a>
        ))}
      </svg>
    </nav>
  );
}

function Letters({ code, middle: [x, y] }: { code: string; middle: Place }) {
  const away = outside[code];
  const [stepX, stepY] = nudges[code] ?? [0, 0];
  const [textX, textY] = away ?? [x + stepX, y + stepY];
  return (
    <>
      {away ? <path className="us-map-leader" d={`M${x} ${y}L${away[0]} ${away[1]}`} /> : null}
      {away ? <rect x={textX - 20} y={textY - 17} width="40" height="34" rx="3" /> : null}
      <text x={textX} y={textY + 4}>
        {code}
      </text>
    </>
  );
}
