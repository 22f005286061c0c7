// A picture of the content: shows the stored one, and takes another, which is cut and made small
// before it is sent.
import { useEffect, useRef, useState } from 'react';
import { readSitePicture, storeSitePicture } from '../../../api/site';
import { Button } from '../../../ui/button';
import { useAuth } from '../../session/provider';
import { FieldError, Labeled } from '../../ui/field';
import { errorMessage } from '../../ui/use-submit';
import { type Editing, type Path, pointer } from '../shape';
import { CropField } from './crop-field';
import { cropped, isEnough, middle, type Place, portraitPlace, whole as wholeOf, widePlace } from './shrink';

type Props = {
  label: string;
  value: unknown;
  path: Path;
  editing: Editing;
  whole?: boolean | undefined;
  portrait?: boolean | undefined;
};

export function PictureField({ label, value, path, editing, whole, portrait }: Props) {
  const { manager } = useAuth();
  const id = `site${pointer(path).replaceAll('/', '-')}`;
  const name = String(value ?? '');
  const [shown, setShown] = useState('');
  /** The picture of which a part is chosen: the file, before it was cut. */
  const [source, setSource] = useState<ImageBitmap>();
  const [gone, setGone] = useState('');
  const place = portrait ? portraitPlace : widePlace;
  /** Why the last file was refused; nothing is published until it is replaced. */
  const refused = editing.refused?.[pointer(path)] ?? '';
  /** Where the picture is now: its entry may be moved while a file is sent. */
  const latest = useRef({ path, editing });
  latest.current = { path, editing };
  const setRefused = (why?: string) => latest.current.editing.refuse?.(latest.current.path, why);
  const [busy, setBusy] = useState(false);
  const waitFor = (job: Promise<unknown>) => editing.waitFor?.(job);
  const fault = editing.faults[pointer(path)];

  useEffect(() => {
    let wanted = true;
    setShown('');
    if (name)
      manager
        .withToken(readSitePicture, name)
        .then(({ data }) => wanted && setShown(`data:image/jpeg;base64,${data}`))
        .catch(() => wanted && setGone('This picture is gone. Choose it again.'));
    return () => {
      wanted = false;
    };
  }, [manager, name]);

  async function send(data: string) {
    setGone('');
    setRefused();
    setBusy(true);
    try {
      const { picture } = await manager.withToken(storeSitePicture, data);
      latest.current.editing.change(latest.current.path, picture);
    } catch (error) {
      setRefused(errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  async function take(file: File) {
    const picture = await createImageBitmap(file).catch(() => undefined);
    if (!picture) return setRefused('This file cannot be read as a picture.');
    if (whole) return send(wholeOf(picture));
    if (!isEnough(picture, place)) {
      const { width, height } = place.least;
      return setRefused(
        `The picture must have at least ${width} by ${height} pixels; this one has ${picture.width} by ${picture.height}.`,
      );
    }
    setSource(picture);
    return send(cropped(picture, middle, place));
  }

  const message = refused || gone || (fault ? `This ${fault}.` : '');
  return (
    <Labeled id={id} label={label}>
      {source ? (
        <CropField
          picture={source}
          place={place}
          busy={busy}
          use={(crop) => waitFor(send(cropped(source, crop, place)))}
        />
      ) : shown ? (
        <img
          className={portrait ? 'site-picture site-portrait' : 'site-picture'}
          src={shown}
          alt="The chosen file"
          width="320"
          height="200"
        />
      ) : null}
      <input
        id={id}
        className="input"
        type="file"
        accept="image/jpeg,image/png,image/webp"
        disabled={busy || editing.disabled}
        aria-invalid={message ? 'true' : undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) waitFor(take(file));
        }}
      />
      <p className="field-hint" role="status">
        {busy ? 'Sending' : hintOf(place, whole)}
      </p>
      {whole && name ? (
        <Button look="line" disabled={busy || editing.disabled} onClick={() => editing.change(path, null)}>
          {`Remove ${label.toLowerCase().replace(' (optional)', '')}`}
        </Button>
      ) : null}
      <FieldError id={`${id}-error`} role="alert" text={message} />
      {refused ? (
        <Button look="line" onClick={() => setRefused()}>
          {name ? 'Keep the picture before' : 'Go on without it'}
        </Button>
      ) : null}
    </Labeled>
  );
}

function hintOf({ least }: Place, whole: boolean | undefined): string {
  if (whole) return 'JPEG, PNG or WebP. It is shown as a whole, on white.';
  const shape = least.width === least.height ? 'as a small square' : '8 by 5';
  return `JPEG, PNG or WebP, at least ${least.width} by ${least.height} pixels. It is shown ${shape}: drag it, or use the sliders, to choose the part.`;
}
