// Hours of the week by how many asked in them: the darker, the more.
import type { FiguresTable } from '../../../api/figures';
import { Readout, useWidth } from './readout';

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const left = 34;
const row = 22;

/** An hour of the clock, as `6 am`. */
export const hourText = (hour: number) => `${hour % 12 || 12} ${hour < 12 ? 'am' : 'pm'}`;

export function HeatMap({ table, title }: { table: FiguresTable; title: string }) {
  const { ref, width } = useWidth();
  const most = Math.max(1, ...table.rows.flatMap(({ numbers }) => numbers.map((number) => number ?? 0)));
  const cell = (width - left) / 24;
  const texts = table.rows.flatMap(({ numbers }, day) =>
    numbers.map((number, hour) => `${weekdays[day]}, ${hourText(hour)}: ${number ?? 0}`),
  );
  return (
    <div className="chart" ref={ref}>
      <Readout texts={texts} title={title}>
        {(shown) => (
          <svg viewBox={`0 0 ${width} ${7 * row + 20}`} role="img" aria-label={title}>
            {table.rows.map(({ value, numbers }, day) => (
              <g key={value}>
                <text className="chart-label" x={0} y={day * row + 15}>
                  {weekdays[day]?.slice(0, 3)}
                </text>
                {numbers.map((number, hour) => (
                  <rect
                    key={hour}
                    className={day * 24 + hour === shown ? 'heat chart-shown' : 'heat'}
                    data-at={day * 24 + hour}
                    x={left + hour * cell}
                    y={day * row}
                    width={cell - 1.5}
                    height={row - 1.5}
                    fillOpacity={number ? 0.2 + (0.8 * number) / most : 0.06}
                  />
                ))}
              </g>
            ))}
            {[0, 6, 12, 18].map((hour) => (
              <text key={hour} className="chart-label" x={left + hour * cell} y={7 * row + 14}>
                {hourText(hour)}
              </text>
            ))}
          </svg>
        )}
      </Readout>
    </div>
  );
}
