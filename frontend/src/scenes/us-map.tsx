// The map of the 50 states, each a link for the mouse: the list beside it has the same links for
// keyboard and screen readers. The shapes are in an SVG file made at build time
// (build/us-map.ts), because they would be a third of Home and phones do not show them.
import map from 'virtual:us-map';
import picture from '../../generated/us-map.svg';
import { later } from './later';

export function UsMap() {
  return (
    <div className="us-map" aria-hidden="true">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: a title here would cover the states' own */}
      <svg viewBox={`0 0 ${map.width} ${map.height}`} focusable="false">
        {map.states.map(({ slug, name, code }) => (
          <a key={code} href={`/states/${slug}`} tabIndex={-1}>
            <title>{name}</title>
            <use {...later(`${picture}#${code}`)} />
          </a>
        ))}
      </svg>
    </div>
  );
}
