// Makes a picture as small as the site shows it, cut as chosen, so that a photograph of a phone can
// be sent. The server checks it again.

type Size = { width: number; height: number };

/** Where a picture is shown: what is cut out of it, and what it needs at least, in pixels. */
export type Place = { wanted: Size; least: Size };

/** Most pages show a picture at half of this size. */
const wanted = { width: 1280, height: 800 };
/** The smallest picture that the server takes. */
const smallest = { width: 640, height: 400 };

export const widePlace: Place = { wanted, least: smallest };

/** A portrait is shown in a square of 56 px, twice as fine on many screens. */
export const portraitPlace: Place = {
  wanted: { width: smallest.height, height: smallest.height },
  least: { width: 112, height: 112 },
};

/** Whether a picture has what its place needs. */
export const isEnough = ({ width, height }: Size, { least }: Place): boolean =>
  width >= least.width && height >= least.height;

const quality = 0.9;

/**
 * The part of a picture that is shown: `zoom` is 1 for the largest part; `x` and `y` are its place,
 * from 0 (left, top) to 1.
 */
export type Crop = { zoom: number; x: number; y: number };

export const middle: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** The shown part of a picture, in its pixels. */
export function cutOf(size: Size, { zoom, x, y }: Crop, place = widePlace) {
  const of = place.wanted;
  const scale = Math.min(size.width / of.width, size.height / of.height) / zoom;
  const [width, height] = [of.width * scale, of.height * scale];
  return { left: (size.width - width) * x, top: (size.height - height) * y, width, height };
}

/** The crop as a JPEG in base64, 1280 pixels wide or as wide as the picture has. */
export function cropped(picture: ImageBitmap, crop: Crop, place: Place): string {
  if (place === portraitPlace) return portrait(picture, crop);
  const { left, top, width, height } = cutOf(picture, crop);
  const scale = Math.min(1, wanted.width / width);
  const canvas = document.createElement('canvas');
  // A crop of a few pixels would be refused.
  canvas.width = Math.max(640, Math.round(width * scale));
  canvas.height = Math.max(400, Math.round(height * scale));
  const pen = canvas.getContext('2d');
  pen?.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
  return base64Of(canvas);
}

/** The square of a portrait in the middle of a picture that the server takes: pages show that. */
function portrait(picture: ImageBitmap, crop: Crop): string {
  const { left, top, width, height } = cutOf(picture, crop, portraitPlace);
  const side = smallest.height;
  return onWhite(smallest, (pen) =>
    pen.drawImage(picture, left, top, width, height, (smallest.width - side) / 2, 0, side, side),
  );
}

/** The whole picture on white, in the shape of the others: for logos. */
export function whole(picture: ImageBitmap): string {
  const scale = 0.9 * Math.min(smallest.width / picture.width, smallest.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return onWhite(smallest, (pen) =>
    pen.drawImage(picture, (smallest.width - width) / 2, (smallest.height - height) / 2, width, height),
  );
}

/** What is drawn on a white picture of this size. */
function onWhite(size: Size, draw: (pen: CanvasRenderingContext2D) => void): string {
  const canvas = Object.assign(document.createElement('canvas'), size);
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, size.width, size.height);
    draw(pen);
  }
  return base64Of(canvas);
}

function base64Of(canvas: HTMLCanvasElement): string {
  return canvas.toDataURL('image/jpeg', quality).replace(/^[^,]*,/, '');
}
