// Lines over time: those of the period, and pale and dashed the one of the period before.
import { area, line } from 'd3-shape';
import { dayText } from '../../offers/words';
import type { Point } from '../numbers';
import { axis, Readout, scale, useWidth } from './readout';

export type Line = { name: string; look: 'main' | 'second' | 'before'; points: Point[] };

const height = 180;
const edge = { top: 12, right: 12, bottom: 24, left: 44 };

export function LineChart({ lines, title }: { lines: Line[]; title: string }) {
  const { ref, width } = useWidth();
  const days = lines[0]?.points ?? [];
  const { end, steps } = axis(
    Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value))),
    4,
  );
  const x = scale(days.length - 1, [edge.left, width - edge.right]);
  const y = scale(end, [height - edge.bottom, edge.top]);
  const step = (width - edge.left - edge.right) / Math.max(1, days.length - 1);
  const path = line<Point>(
    (_, index) => x(index),
    ({ value }) => y(value),
  );
  const below = area<Point>(
    (_, index) => x(index),
    y(0),
    ({ value }) => y(value),
  );
  const labels = [...new Set([0, Math.floor((days.length - 1) / 2), days.length - 1])].filter(
    (at) => at >= 0,
  );
  const texts = days.map(({ day }, at) =>
    [dayText(day, false), ...lines.map(({ name, points }) => valueText(name, points[at]))].join(' · '),
  );
  return (
    <div className="chart" ref={ref}>
      <Readout texts={texts} title={title}>
        {(shown) => (
          <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
            {steps.map((tick) => (
              <g key={tick} className="chart-tick">
                <line x1={edge.left} x2={width - edge.right} y1={y(tick)} y2={y(tick)} />
                <text x={edge.left - 6} y={y(tick) + 4} textAnchor="end">
                  {tick.toLocaleString('en-US')}
                </text>
              </g>
            ))}
            {labels.map((at) => (
              <text
                key={at}
                className="chart-label"
                x={x(at)}
                y={height - 6}
                textAnchor={at === 0 ? 'start' : at === days.length - 1 ? 'end' : 'middle'}
              >
                {days[at] ? dayText(days[at].day, false) : ''}
              </text>
            ))}
            {lines.map(({ name, look, points }) => (
              <g key={name} className={`chart-line chart-${look}`}>
                {look === 'main' ? <path className="chart-area" d={below(points) ?? ''} /> : null}
                {points.length === 1 && points[0] ? (
                  <circle cx={x(0)} cy={y(points[0].value)} r={3} />
                ) : (
                  <path d={path(points.slice(0, days.length)) ?? ''} fill="none" />
                )}
              </g>
            ))}
            {days.map(({ day }, at) => (
              <rect
                key={day}
                className={at === shown ? 'chart-day chart-shown' : 'chart-day'}
                data-at={at}
                x={x(at) - step / 2}
                y={edge.top}
                width={step}
                height={height - edge.top - edge.bottom}
              />
            ))}
          </svg>
        )}
      </Readout>
      <ul className="chart-key" aria-hidden="true">
        {lines.map(({ name, look }) => (
          <li key={name}>
            <svg viewBox="0 0 28 8" aria-hidden="true" className={`chart-line chart-${look}`}>
              <path d="M0 4H28" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

const valueText = (name: string, point: Point | undefined) =>
  `${name}: ${point ? point.value.toLocaleString('en-US') : '–'}`;
