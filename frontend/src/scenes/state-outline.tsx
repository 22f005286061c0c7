// The outline of a state with lights at its cities, from the data of `virtual:states`.
import type { StateFacts } from 'virtual:states';

/** The margin around the outline, in its units, so that lights on the border are not clipped. */
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
