// What the customer would get, beside the form: the real page in a frame, and the real PDF. It is
// made again after each saving, and stays while a field is unfinished.
import { useState } from 'react';
import { makeOfferPreview } from '../../api/offers';
import { Button } from '../../ui/button';
import { usePreview } from '../site/use-preview';
import { FormAlert } from '../ui/auth-card';

type Props = {
  number: string;
  /** The revision of the draft that the server has. */
  revision: number;
  /** Whether the draft can be priced. */
  isComplete: boolean;
};

export function OfferPreview({ number, revision, isComplete }: Props) {
  const [part, setPart] = useState<'page' | 'pdf'>('page');
  const { frame, loaded, address, made, problem } = usePreview(
    (token) => makeOfferPreview(token, number),
    isComplete ? `${number} ${revision}` : undefined,
  );
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
      <FormAlert text={problem} />
      <p role="status" className={isComplete ? 'muted' : 'offer-last'}>
        {isComplete
          ? address || problem
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
          onLoad={loaded}
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        />
      ) : null}
      {address && part === 'pdf' ? <iframe key={made} title="The PDF" src={source} /> : null}
    </section>
  );
}

/** Marks a price and a preview while the draft is unfinished. */
const lastComplete = 'Of the last complete state: the draft is unfinished.';
