// The map of the 50 states, each a link for the mouse, with what holds there below the map: the
// list beside it has the same links and facts for keyboard and screen readers. The shapes are in an
// SVG file made at build time (build/us-map.ts), because they would be a third of Home and phones
// do not show them.
import map from 'virtual:us-map';
import picture from '../../generated/us-map.svg';
import { later } from './later';

/** The room below the map for a line of text. */
const below = 40;

/** `of`: the states, each with a line about it. */
export function UsMap({ of }: { of: readonly { slug: string; code: string; fact: string }[] }) {
  return (
    <div className="us-map" aria-hidden="true">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden, and a title would cover the states’ own lines */}
      <svg viewBox={`0 0 ${map.width} ${map.height + below}`} focusable="false">
        {of.map(({ slug, code, fact }) => (
          <a key={code} href={`/states/${slug}`} tabIndex={-1}>
            <use {...later(`${picture}#${code}`)} />
            <text x={map.width} y={map.height + below / 2}>
              {fact}
            </text>
          </a>
        ))}
      </svg>
    </div>
  );
}
