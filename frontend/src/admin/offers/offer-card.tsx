// One offer in the panel: its state and value, its files, and what can be done with it.
import { useState } from 'react';
import { confirmOffer, type Offer, readOfferFile } from '../../api/offers';
import { Button, ButtonLink } from '../../ui/button';
import { staffed } from '../requests/actions';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { saveFile } from '../ui/save-file';
import { useAttempt } from '../ui/use-attempt';
import { AnswerForm, type AnswerKind } from './answer-form';
import { badgeOf, dayText, stateText, valueText } from './words';

type Props = { offer: Offer; put(offer: Offer): void; reload(): void; edit(): void };

export function OfferCard({ offer, put, reload, edit }: Props) {
  const { manager } = useAuth();
  const { alert, attempt } = useAttempt();
  const [form, setForm] = useState<AnswerKind>();
  const { number, state, version, versions } = offer;
  const [current, ...older] = versions;

  const save = (of: number, part: 'pdf' | 'receipt') =>
    attempt(async () => {
      const file = await manager.withToken(readOfferFile, number, of, part);
      saveFile(file, `offer-${number}-${of}${part === 'receipt' ? '-receipt' : ''}.pdf`);
    });

  const show = (changed: Offer) => {
    put(changed);
    reload();
  };
  const confirm = () => attempt(async () => show(await manager.withToken(confirmOffer, number)));

  return (
    <article className="offer-card" aria-label={`Offer ${number}`}>
      <p className="offer-head">
        <strong>{number}</strong>
        <span className={badgeOf(state)}>{stateText[state] ?? state}</span>
        {current ? <span className="offer-value">{valueText(current)}</span> : null}
      </p>
      {current ? (
        <p className="muted">
          {`Version ${version}, sent ${dateTime(current.sent_at)} to ${current.recipient}. `}
          {state === 'sent' ? `Valid until ${dayText(current.valid_until)}. ` : ''}
          {current.opened_at ? `Opened ${dateTime(current.opened_at)}. ` : ''}
          {current.answered_at
            ? `${stateText[state]} ${dateTime(current.answered_at)}${current.answered_by ? ` by ${current.answered_by}` : ''}. `
            : ''}
          <span className="offer-files">
            <Button look="quiet" aria-label={`PDF of ${number}`} onClick={() => save(version, 'pdf')}>
              PDF
            </Button>
            {state === 'accepted' ? (
              <Button
                look="quiet"
                aria-label={`Receipt of ${number}`}
                onClick={() => save(version, 'receipt')}
              >
                Receipt
              </Button>
            ) : null}
            {offer.link ? (
              <ButtonLink look="quiet" href={offer.link} target="_blank" rel="noreferrer">
                Customer’s page
              </ButtonLink>
            ) : null}
          </span>
        </p>
      ) : (
        <p className="muted">{`Not sent yet. Last changed ${dateTime(offer.updated_at)}.`}</p>
      )}
      {current?.reason ? <p className="panel-words">{current.reason}</p> : null}
      {older.length ? (
        <p className="muted">
          {older
            .map((one) => `Version ${one.version}: ${stateText[one.state]}, ${valueText(one)}`)
            .join('. ')}
          .
        </p>
      ) : null}
      <FormAlert text={alert} />
      <div className="actions">
        {offer.is_unconfirmed ? (
          <Button look="ink" className="button-small" onClick={confirm}>
            {staffed}
          </Button>
        ) : null}
        {state === 'accepted' ? null : (
          <Button look="line" className="button-small" onClick={edit}>
            {version ? 'New version' : 'Edit'}
          </Button>
        )}
        {state === 'sent'
          ? (['accepted', 'declined', 'withdraw'] as const).map((kind) => (
              <Button
                key={kind}
                look="line"
                className="button-small"
                aria-expanded={form === kind}
                onClick={() => setForm(form === kind ? undefined : kind)}
              >
                {{ accepted: 'They accept', declined: 'They decline', withdraw: 'Withdraw' }[kind]}
              </Button>
            ))
          : null}
      </div>
      {form && state === 'sent' ? (
        <AnswerForm
          key={form}
          kind={form}
          offer={offer}
          done={(changed) => {
            setForm(undefined);
            show(changed);
          }}
        />
      ) : null}
    </article>
  );
}
