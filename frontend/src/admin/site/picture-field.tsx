// A picture of the content: shows the stored one, and takes another, which is cut and made small
// before it is sent.
import { useEffect, useState } from 'react';
import { readSitePicture, storeSitePicture } from '../../api/site';
import { Button } from '../../ui/button';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';
import { CropField } from './crop-field';
import { type Editing, type Path, pointer } from './shape';
import { cropped, middle, whole as wholeOf } from './shrink';

type Props = { label: string; value: unknown; path: Path; editing: Editing; whole?: boolean };

export function PictureField({ label, value, path, editing, whole }: Props) {
  const { manager } = useAuth();
  const id = `site${pointer(path).replaceAll('/', '-')}`;
  const name = String(value ?? '');
  const [shown, setShown] = useState('');
  /** The picture of which a part is chosen: the file, before it was cut. */
  const [source, setSource] = useState<ImageBitmap>();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const waitFor = (job: Promise<unknown>) => editing.waitFor?.(job);
  const fault = editing.faults[pointer(path)];

  useEffect(() => {
    let wanted = true;
    setShown('');
    if (name)
      manager
        .withToken((token) => readSitePicture(token, name))
        .then(({ data }) => wanted && setShown(`data:image/jpeg;base64,${data}`))
        .catch(() => wanted && setProblem('This picture is gone. Choose it again.'));
    return () => {
      wanted = false;
    };
  }, [manager, name]);

  async function send(data: string) {
    setProblem('');
    setBusy(true);
    try {
      const { picture } = await manager.withToken((token) => storeSitePicture(token, data));
      editing.change(path, picture);
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  async function take(file: File) {
    const picture = await createImageBitmap(file).catch(() => undefined);
    if (!picture) return setProblem('This file cannot be read as a picture.');
    if (whole) return send(wholeOf(picture));
    if (picture.width < 640 || picture.height < 400)
      return setProblem('The picture must have at least 640 by 400 pixels.');
    setSource(picture);
    return send(cropped(picture, middle));
  }

  const message = problem || (fault ? `This ${fault}.` : '');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {source ? (
        <CropField picture={source} busy={busy} use={(crop) => waitFor(send(cropped(source, crop)))} />
      ) : shown ? (
        <img className="site-picture" src={shown} alt="The chosen file" width="320" height="200" />
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
        {busy ? 'Sending' : hintOf(whole)}
      </p>
      {whole && name ? (
        <Button look="line" disabled={busy || editing.disabled} onClick={() => editing.change(path, null)}>
          {`Remove ${label.toLowerCase().replace(' (optional)', '')}`}
        </Button>
      ) : null}
      <p id={`${id}-error`} className="field-error" role="alert" hidden={!message}>
        {message}
      </p>
    </div>
  );
}

function hintOf(whole: boolean | undefined): string {
  return whole
    ? 'JPEG, PNG or WebP. It is shown as a whole, on white.'
    : 'JPEG, PNG or WebP. It is shown 8 by 5: drag it, or use the sliders, to choose the part.';
}
