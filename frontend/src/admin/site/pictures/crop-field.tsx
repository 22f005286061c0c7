// Chooses the part of a picture that is shown: by dragging it, or by three sliders.
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button';
import { type Crop, cutOf, middle, type Place } from './shrink';

type Props = { picture: ImageBitmap; place: Place; busy: boolean; use(crop: Crop): void };

/** The height of the canvas, in its pixels. */
const shownHeight = 400;

const sliders = [
  ['zoom', 'Zoom', 1, 3],
  ['x', 'Left or right', 0, 1],
  ['y', 'Up or down', 0, 1],
] as const;

const clamp = (share: number) => Math.min(1, Math.max(0, share));

export function CropField({ picture, place, busy, use }: Props) {
  const shownWidth = (shownHeight * place.wanted.width) / place.wanted.height;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState(middle);
  useEffect(() => {
    const { left, top, width, height } = cutOf(picture, crop, place);
    const pen = canvas.current?.getContext('2d');
    pen?.drawImage(picture, left, top, width, height, 0, 0, shownWidth, shownHeight);
  }, [picture, crop, place, shownWidth]);

  const drag = (moveX: number, moveY: number) =>
    setCrop((now) => {
      const { width, height } = cutOf(picture, now, place);
      const shown = canvas.current?.clientWidth || 1;
      const share = (move: number, room: number) => (room > 0 ? (move * width) / shown / room : 0);
      return {
        ...now,
        x: clamp(now.x - share(moveX, picture.width - width)),
        y: clamp(now.y - share(moveY, picture.height - height)),
      };
    });

  return (
    <div className="site-crop">
      <canvas
        ref={canvas}
        className="site-picture"
        width={shownWidth}
        height={shownHeight}
        role="img"
        aria-label="The part that is shown"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.buttons) drag(event.movementX, event.movementY);
        }}
      />
      {sliders.map(([key, name, min, max]) => (
        <label key={key}>
          {name}
          <input
            type="range"
            min={min}
            max={max}
            step="0.05"
            value={crop[key]}
            onInput={(event) => {
              const value = Number(event.currentTarget.value);
              setCrop((now) => ({ ...now, [key]: value }));
            }}
          />
        </label>
      ))}
      <Button look="line" disabled={busy} onClick={() => use(crop)}>
        Use this part
      </Button>
    </div>
  );
}
