// What the scenes share: the frame with its sky, the horizon, the stars and the guard.
// All scenes are 640 by 400 units; the ground begins at y 300; tones are classes of styles/scenes.css.
import type { ReactNode } from 'react';

/** The sheet a scene is drawn on. */
export function Sheet({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 640 400" width="640" height="400" focusable="false" aria-hidden="true">
      <path className="sky" d="M0 0h640v400H0z" />
      {children}
    </svg>
  );
}

/** A few stars, always the same ones. */
export function Stars() {
  return (
    <path
      className="stars"
      d="M64 52h0M148 96h0M232 38h0M301 84h0M388 46h0M452 108h0M540 62h0M598 120h0M96 150h0"
    />
  );
}

/** The ground outdoors, with the town far away behind it. */
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

type Stance = {
  x: number;
  y: number;
  /** Height in units; drawn at 160. */
  tall?: number;
  /** What the right arm does. */
  arm?: 'down' | 'light' | 'stop';
  /** Looks to the left. */
  left?: boolean;
};

const arms = {
  down: 'M17-121c7 3 9 9 9 17l-2 36h-8l-3-38z',
  light: 'M15-123c7 1 10 6 11 12l3 14 19 8-3 8-25-9-9-20z',
  stop: 'M14-123c8-1 12 3 14 10l18-14 5 6-23 23c-8-2-12-10-14-17z',
};

/** A guard, seen from the front, feet at (x, y). */
export function Guard({ x, y, tall = 160, arm = 'down', left }: Stance) {
  const size = tall / 160;
  return (
    <g transform={`translate(${x} ${y}) scale(${left ? -size : size} ${size})`}>
      <g className="figure">
        <path d="M-16 0l1-74h30l1 74H5L1-52h-2L-5 0z" />
        <path d="M-15-70l-5-48c0-8 5-12 12-12H8c7 0 12 4 12 12l-5 48z" />
        <path d="M-17-121c-7 3-9 9-9 17l2 36h8l3-38z" />
        <path d={arms[arm]} />
        <path d="M-9-142a9 10 0 0 0 18 0v-6H-9z" />
        <path d="M-13-147c0-9 5-14 13-14s13 5 13 14l5 3h-31z" />
      </g>
      <path className="line thin" d="M-15-78h30M0-127v46M-9-112h6" />
    </g>
  );
}
