// Open Graph images of the pages as SVG; scripts/images.mjs renders them to PNG. They are made at
// build time, so they show the service, not the company name. Also exports the scenes as separate
// files.

import map from 'virtual:us-map';
import shapes from 'virtual:us-shapes';
import promises from '@seeds/site/promises.json';
import { renderToString } from 'preact-render-to-string';
import { scenes } from './scenes/all';

/**
 * An image: its key is `og` in seeds/site/pages.json. It shows two or three short lines beside a
 * drawing: a scene, aligned with the lower edge and faded at two sides, or with `wholeDrawing` one
 * shown unfaded.
 */
type SocialImage = { lines: string[]; drawing: string; wholeDrawing?: boolean };

const size = { width: 1200, height: 630 };

const socialImages: Record<string, SocialImage> = {
  home: { lines: ['Guards on', 'post, day', 'and night'], drawing: scenes.hero },
  'fire-watch': { lines: ['24 hour', 'fire watch', 'guards'], drawing: scenes['fire-watch'] },
  'security-services': { lines: ['Armed and', 'unarmed', 'guards'], drawing: scenes.guards },
  'mobile-patrol': { lines: ['Mobile', 'patrol'], drawing: scenes.patrol },
  surveillance: { lines: ['Live video', 'monitoring'], drawing: scenes.surveillance },
  concierge: { lines: ['Concierge', 'security', 'officers'], drawing: scenes.concierge },
  company: { lines: ['Guards in', 'all 50', 'states'], drawing: scenes.about },
  quote: { lines: ['Your quote', 'within', promises.answer], drawing: scenes.quote },
  'event-security': { lines: ['Event', 'security'], drawing: scenes.events },
  'construction-security': { lines: ['Job site', 'security'], drawing: scenes.construction },
  state: { lines: ['Guards in', 'your state'], drawing: renderToString(<CountryMap />), wholeDrawing: true },
};

/** All images by name, each a complete SVG document. */
export function renderSocialImages(): { name: string; svg: string }[] {
  return Object.entries(socialImages).map(([name, picture]) => ({
    name,
    svg: renderToString(<SocialImageSvg {...picture} />),
  }));
}

/** All scenes by name, each a complete SVG document (see scenes/picture.tsx). */
export function renderScenes(): { name: string; svg: string }[] {
  return Object.entries(scenes).map(([name, drawing]) => ({
    name,
    svg: drawing.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg" class="scene"'),
  }));
}

/** The position of a 640 by 400 drawing on the image. */
const placements = {
  apart: { x: 484, y: 91, width: 716, height: 448 },
  scene: { x: 398, y: 91, width: 862, height: 539 },
};

function SocialImageSvg({ lines, drawing, wholeDrawing: apart }: SocialImage) {
  const top = size.height / 2 - (lines.length * 84) / 2 + 78;
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
      <path className="background" d={`M0 0h${size.width}v${size.height}H0z`} />
      <svg {...placements[apart ? 'apart' : 'scene']} viewBox="0 0 640 400" aria-hidden="true">
        <g className="scene" dangerouslySetInnerHTML={{ __html: drawing }} />
      </svg>
      {apart ? null : <EdgeFade />}
      <path className="lit" d={`M72 ${top - 112}h64v10H72z`} />
      {lines.map((line, at) => (
        <text key={line} x="72" y={top + at * 84}>
          {line}
        </text>
      ))}
    </svg>
  );
}

/** Fades the upper and left edges of a scene into the background. */
function EdgeFade() {
  const { x, y, width, height } = placements.scene;
  return (
    <>
      <linearGradient id="from-left">
        <stop className="edge-fade" />
        <stop className="edge-fade" offset="1" stopOpacity="0" />
      </linearGradient>
      <linearGradient id="from-above" x2="0" y2="1">
        <stop className="edge-fade" />
        <stop className="edge-fade" offset="1" stopOpacity="0" />
      </linearGradient>
      <path fill="url(#from-left)" d={`M${x} ${y}h260v${height}h-260z`} />
      <path fill="url(#from-above)" d={`M${x} ${y}h${width}v130h-${width}z`} />
    </>
  );
}

function CountryMap() {
  return (
    <svg x="10" y="10" width="600" height="380" viewBox={`0 0 ${map.width} ${map.height}`} aria-hidden="true">
      {Object.entries(shapes).map(([code, d]) => (
        <path key={code} className={code === 'TX' ? 'lit edge' : 'mid edge'} d={d} />
      ))}
    </svg>
  );
}
