// What the customer would get: the text of the page, and the PDF.
import { useEffect, useState } from 'react';
import { previewOffer } from '../../api/offers';
import { Button } from '../../ui/button';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { saveFile } from '../ui/save-file';
import { errorMessage } from '../ui/use-submit';

export function OfferPreview({ number, close }: { number: string; close(): void }) {
  const { manager } = useAuth();
  const [text, setText] = useState<string>();
  const [alert, setAlert] = useState('');
  useEffect(() => {
    manager
      .withToken((token) => previewOffer(token, number, 'text'))
      .then((file) => file.text())
      .then(setText, (error) => setAlert(errorMessage(error)));
  }, [manager, number]);
  const pdf = () =>
    manager
      .withToken((token) => previewOffer(token, number, 'pdf'))
      .then((file) => saveFile(file, `offer-${number}-draft.pdf`))
      .catch((error) => setAlert(errorMessage(error)));
  return (
    <section className="offer-preview" aria-label="Preview">
      <FormAlert text={alert} />
      <pre>{text ?? (alert ? '' : 'Loading')}</pre>
      <div className="actions">
        <Button look="line" className="button-small" onClick={pdf}>
          Download the PDF
        </Button>
        <Button look="quiet" onClick={close}>
          Close preview
        </Button>
      </div>
    </section>
  );
}
