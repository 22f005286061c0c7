// An answer on the customer's behalf, or the withdrawal of an offer: why, in words that are kept.
import { answerOffer, type Offer, withdrawOffer } from '../../api/offers';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { FieldError, focusOnce, Labeled, TextField } from '../ui/field';
import { errorMessage, useSubmit } from '../ui/use-submit';

export type AnswerKind = 'accepted' | 'declined' | 'withdraw';

type Props = { kind: AnswerKind; offer: Offer; done(offer: Offer): void };

const words: Record<
  AnswerKind,
  { label: string; hint: string; submit: string; missing: string; title: string }
> = {
  accepted: {
    label: 'How did they accept?',
    hint: 'As in “By phone, at 3 p.m.” It is part of the record. They get the receipt by email.',
    submit: 'Record the acceptance',
    missing: 'Say how the customer has accepted.',
    title: 'Acceptance recorded',
  },
  declined: {
    label: 'Why do they decline?',
    hint: '',
    submit: 'Record the refusal',
    missing: 'Say why the customer has declined.',
    title: 'Refusal recorded',
  },
  withdraw: {
    label: 'Why? (optional, for the office only)',
    hint: 'The customer’s page will say that the offer is withdrawn.',
    submit: 'Withdraw the offer',
    missing: '',
    title: 'Offer withdrawn',
  },
};

export function AnswerForm({ kind, offer, done }: Props) {
  const { manager } = useAuth();
  const { label, hint, submit, missing, title } = words[kind];
  const sending = useSubmit({
    keep: `answer ${offer.number} ${kind}`,
    check: ({ note = '' }): Record<string, string> => (missing && !note.trim() ? { note: missing } : {}),
    async send({ note = '', name = '' }) {
      const { number, version } = offer;
      const changed = await manager.withToken((token) =>
        kind === 'withdraw'
          ? withdrawOffer(token, number, note)
          : answerOffer(token, number, { version, answer: kind, note, ...(name.trim() ? { name } : {}) }),
      );
      toast({ title, detail: number });
      done(changed);
    },
    fieldOf: (error) => (errorMessage(error).includes('characters') ? 'note' : undefined),
  });
  return (
    <form {...sending.form} className="panel-form" aria-label={submit}>
      <FormAlert text={sending.alert} />
      {kind === 'accepted' ? (
        <TextField
          name="name"
          label="Who accepts?"
          optional
          autoComplete="off"
          maxLength={100}
          defaultValue={offer.request?.name ?? ''}
        />
      ) : null}
      <Labeled id="answer-note" label={label}>
        <textarea
          id="answer-note"
          name="note"
          className="input"
          rows={2}
          maxLength={500}
          ref={focusOnce}
          aria-invalid={sending.messages.note ? 'true' : undefined}
          aria-describedby="answer-note-hint answer-note-error"
        />
        <p id="answer-note-hint" className="field-hint">
          {hint}
        </p>
        <FieldError id="answer-note-error" text={sending.messages.note} />
      </Labeled>
      <Button type="submit" look="ink" disabled={sending.sending}>
        {submit}
      </Button>
    </form>
  );
}
