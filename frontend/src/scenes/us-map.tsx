// The map of the 50 states, each a link. The shapes are in an SVG file made at build time
// (build/us-map.ts), because they would be a third of Home and phones do not show them.
import map from 'virtual:us-map';
import picture from '../../generated/us-map.svg';
import { later } from './later';

export function UsMap() {
  return (
    <nav className="us-map" aria-label="Map of the states">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the nav around it has the name; a title here would cover the states' own */}
      <svg viewBox={`0 0 ${map.width} ${map.height}`} focusable="false">
        {map.states.map(({ slug, name, code }) => (
          <a key={code} href={`/states/${slug}`} aria-label={`${name}, ${code}`}>
            <title>{name}</title>
            <use {...later(`${picture}#${code}`)} />
          </a>
        ))}
      </svg>
    </nav>
  );
}
