// The map of the 50 states: each a link with its name; a way in, beside the plain list. It is drawn at build time as a file
// of its own (build/us-map.ts), which no page waits for: a third of Home would be its shapes, and phones do not show them.
import map from 'virtual:us-map';
import picture from '../../generated/us-map.svg';

export function UsMap() {
  return (
    <nav className="us-map" aria-label="Map of the states">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the nav around it has the name; a title here would cover the states' own */}
      <svg viewBox={`0 0 ${map.width} ${map.height}`} focusable="false">
        {map.states.map(({ slug, name, code }) => (
          <a key={code} href={`/states/${slug}`} aria-label={`${name}, ${code}`}>
            <title>{name}</title>
            <use href={`${picture}#${code}`} />
          </a>
        ))}
      </svg>
    </nav>
  );
}
