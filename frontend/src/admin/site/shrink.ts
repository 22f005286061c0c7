// Makes a picture as small as the site shows it, so that a photograph of a phone can be sent. The
// server cuts it to its shape and checks it again.

/** Twice the size at which most pages show a picture. */
const wanted = { width: 1280, height: 800 };
const quality = 0.9;

/**
 * The picture as a JPEG in base64, large enough to be cut to the wanted size; undefined if it is
 * none.
 */
export async function shrink(file: File): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return;
  const scale = Math.min(1, Math.max(wanted.width / picture.width, wanted.height / picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.toDataURL('image/jpeg', quality).replace(/^[^,]*,/, '');
}
