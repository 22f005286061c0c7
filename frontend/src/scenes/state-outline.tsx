// One state's outline at night, its cities lit. The drawing comes with the state's facts (`virtual:states`).
import type { StateFacts } from 'virtual:states';

/** Room around the outline, in its own units, so that lights on the border are not cut. */
const margin = 14;

export function StateOutline({ outline, name }: { outline: StateFacts['outline']; name: string }) {
  const { d, width, height, lights } = outline;
  const box = [-margin, -margin, width + 2 * margin, height + 2 * margin].join(' ');
  return (
    <svg
      className="state-outline"
      viewBox={box}
      role="img"
      aria-label={`Outline of ${name} with the lights of its cities`}
    >
      <path d={d} />
      {lights.map(([x, y]) => (
        <g key={`${x} ${y}`}>
          <circle cx={x} cy={y} r="12" />
          <circle cx={x} cy={y} r="4" />
        </g>
      ))}
    </svg>
  );
}
