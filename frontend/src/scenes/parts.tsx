// Shared parts of the scenes: the SVG frame, the ground, stars, light beams and the guard. Scenes
// are 640 by 400 units with the ground at y 300; tones are classes of styles/scenes.css.
import type { ReactNode } from 'react';

/**
 * The SVG element of a scene. The sky is the background color of `.scene`; a painted sky would show
 * faint stripes where the scene fades into the page.
 */
export function SceneFrame({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 640 400" width="640" height="400" focusable="false" aria-hidden="true">
      {children}
    </svg>
  );
}

/** A fixed set of stars. */
export function Stars() {
  return (
    <path
      className="stars"
      d="M64 52h0M148 96h0M232 38h0M301 84h0M388 46h0M452 108h0M540 62h0M598 120h0M96 150h0"
    />
  );
}

/** The outdoor ground with a skyline behind it. */
export function Ground() {
  return (
    <>
      <path
        className="far"
        d="M0 300v-38h34v-22h40v34h30v-56h26v44h52v-28h36v42h60v-24h34v-40h24v52h44v-22h56v30h34v-58h22v44h40v-26h44v34h64v33z"
      />
      <path className="near" d="M0 300h640v100H0z" />
      <path className="line thin" d="M0 300h640" />
    </>
  );
}

/** A light beam, brightest at `from` and transparent at `to`. */
export function Beam({
  id,
  d,
  from: [x1, y1],
  to: [x2, y2],
  className,
}: {
  id: string;
  d: string;
  from: [number, number];
  to: [number, number];
  className?: string;
}) {
  return (
    <g className={className}>
      <linearGradient id={id} gradientUnits="userSpaceOnUse" x1={x1} y1={y1} x2={x2} y2={y2}>
        <stop className="beam" stopOpacity=".44" />
        <stop className="beam" offset="1" stopOpacity="0" />
      </linearGradient>
      <path fill={`url(#${id})`} d={d} />
    </g>
  );
}

type GuardProps = {
  x: number;
  y: number;
  /** Height in units; 160 by default. */
  height?: number;
  /** The pose of the right arm. */
  arm?: 'down' | 'light' | 'stop';
  /** Faces left. */
  left?: boolean;
};

const arms = {
  down: 'M16-125c8 2 11 9 11 17l-1 20c0 8-2 14-3 20h-8l1-30z',
  light: 'M15-125c7 1 11 6 13 13l4 15 17 8-4 8-23-8c-2-1-3-2-4-4l-8-20z',
  stop: 'M14-125c9-1 13 3 16 9l16-13 6 7-22 21c-8 0-14-8-17-16z',
};

/** A guard with the feet at (x, y). */
export function Guard({ x, y, height = 160, arm = 'down', left }: GuardProps) {
  const size = height / 160;
  return (
    <g transform={`translate(${x} ${y}) scale(${left ? -size : size} ${size})`}>
      <g className="figure">
        <path d="M-16-76l-1 70h-3v6h17l3-58 4 58h17v-6h-4l-2-70z" />
        <path d="M-16-72l-4-44c0-8 5-12 13-12H7c7 0 12 4 12 12l-4 44z" />
        <path d="M-17-125c-8 2-10 9-10 17l1 20c0 8 2 14 3 20h8l-1-30z" />
        <path d={arms[arm]} />
      </g>
      <path className="face" d="M-8-144v7c0 6 3 10 8 10s9-4 9-10v-7z" />
      <path className="figure" d="M-12-144c-1-9 3-15 12-15s13 5 12 11l9 4z" />
      <path className="band-lit" d="M-18-102h35l-1 7h-33z" />
      <path className="line thin" d="M0-126v22M0-93v18M-15-76h30" />
    </g>
  );
}
