// What the customer would get, beside the form: the real page in a frame, and the real PDF. It is
// made again after each saving, and stays while a field is unfinished.
import { useEffect, useRef, useState } from 'react';
import { makeOfferPreview } from '../../api/offers';
import { Button } from '../../ui/button';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { errorMessage } from '../ui/use-submit';

/** Renewed before it ends, which is after 15 minutes. */
const renewAfter = 10 * 60_000;

type Props = {
  number: string;
  /** The revision of the draft that the server has. */
  revision: number;
  /** Whether the draft can be priced. */
  isComplete: boolean;
};

export function OfferPreview({ number, revision, isComplete }: Props) {
  const { manager } = useAuth();
  const frame = useRef<HTMLIFrameElement>(null);
  const [address, setAddress] = useState('');
  /** How often it was made: another file is loaded anew. */
  const [made, setMade] = useState(0);
  const [part, setPart] = useState<'page' | 'pdf'>('page');
  const [alert, setAlert] = useState('');

  useEffect(() => {
    if (!isComplete) return;
    let wanted = true;
    const make = () =>
      manager
        .withToken((token) => makeOfferPreview(token, number))
        .then(({ url }) => {
          if (!wanted) return;
          setAlert('');
          setAddress(url);
          setMade((count) => count + 1);
          frame.current?.contentWindow?.location.reload();
        })
        .catch((error) => wanted && setAlert(errorMessage(error)));
    make();
    const timer = setInterval(make, renewAfter);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [manager, number, revision, isComplete]);

  const source = part === 'pdf' ? `${address}/offer.pdf` : address;
  return (
    <section className="offer-preview" aria-label="Preview">
      <div className="offer-preview-bar">
        <fieldset className="offer-switch">
          <legend className="visually-hidden">Preview of</legend>
          <Button look="quiet" aria-pressed={part === 'page'} onClick={() => setPart('page')}>
            Their page
          </Button>
          <Button look="quiet" aria-pressed={part === 'pdf'} onClick={() => setPart('pdf')}>
            PDF
          </Button>
        </fieldset>
        {address ? (
          <a href={source} target="_blank" rel="noreferrer">
            Open in a tab
          </a>
        ) : null}
      </div>
      <FormAlert text={alert} />
      <p role="status" className={isComplete ? 'muted' : 'offer-last'}>
        {isComplete
          ? address || alert
            ? ''
            : 'Making the preview'
          : address
            ? lastComplete
            : 'There is no preview yet: the draft is unfinished.'}
      </p>
      {address && part === 'page' ? (
        <iframe
          ref={frame}
          title="The customer’s page"
          src={address}
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        />
      ) : null}
      {address && part === 'pdf' ? <iframe key={made} title="The PDF" src={source} /> : null}
    </section>
  );
}

/** Marks a price and a preview while the draft is unfinished. */
const lastComplete = 'Of the last complete state: the draft is unfinished.';
