// The map of the states: the darker, the more asked from there.
import map from 'virtual:us-map';
import picture from '../../../../generated/us-map.svg';
import type { FiguresTable } from '../../../api/figures';
import { numberOf } from '../numbers';
import { Readout } from './readout';

export function StateMap({ table, title }: { table: FiguresTable; title: string }) {
  const asked = (code: string) => numberOf(table, code, 'asked') ?? 0;
  const most = Math.max(1, ...map.states.map(({ code }) => asked(code)));
  return (
    <div className="chart state-map">
      <Readout texts={map.states.map(({ code, name }) => `${name}: ${asked(code)}`)} title={title}>
        {(shown) => (
          <svg viewBox={`0 0 ${map.width} ${map.height}`} role="img" aria-label={title}>
            {map.states.map(({ code }, at) => (
              <use
                key={code}
                href={`${picture}#${code}`}
                data-at={at}
                className={asked(code) / most > 0.5 ? 'state-dark' : undefined}
                style={{ fill: at === shown ? 'var(--blue-wash)' : inkOf(asked(code) / most) }}
              />
            ))}
          </svg>
        )}
      </Readout>
    </div>
  );
}

/** The color of a share of the highest number; that of paper for none. */
const inkOf = (share: number) =>
  share ? `color-mix(in srgb, var(--text) ${Math.round(12 + 88 * share)}%, var(--paper))` : 'var(--paper)';

/** The name of a state by its code. */
export function stateName(code: string): string {
  return map.states.find((state) => state.code === code)?.name ?? 'Unknown';
}
