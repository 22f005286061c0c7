// A picture of the content: shows the stored one, and takes another, which is made small before it
// is sent.
import { useEffect, useState } from 'react';
import { readSitePicture, storeSitePicture } from '../../api/site';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';
import { type Editing, type Path, pointer } from './shape';
import { shrink } from './shrink';

type Props = { label: string; value: unknown; path: Path; editing: Editing };

export function PictureField({ label, value, path, editing }: Props) {
  const { manager } = useAuth();
  const id = `site${pointer(path).replaceAll('/', '-')}`;
  const name = String(value ?? '');
  const [shown, setShown] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
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

  async function take(file: File) {
    setProblem('');
    setBusy(true);
    try {
      const data = await shrink(file);
      if (!data) return setProblem('This file cannot be read as a picture.');
      const { picture } = await manager.withToken((token) => storeSitePicture(token, data));
      editing.change(path, picture);
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  const message = problem || (fault ? `This ${fault}.` : '');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {shown ? (
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
          if (file) take(file);
        }}
      />
      <p className="field-hint" role="status">
        {busy ? 'Sending' : 'JPEG, PNG or WebP. The middle is shown, 8 by 5.'}
      </p>
      <p id={`${id}-error`} className="field-error" role="alert" hidden={!message}>
        {message}
      </p>
    </div>
  );
}
