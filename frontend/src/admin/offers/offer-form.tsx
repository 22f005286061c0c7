// The form of an offer: the term, the posts, what is added by hand, the message, the validity.
import type { RequestItem } from '../../api/inbox';
import type { OfferDraft, Post, RateCard } from '../../api/offers';
import { Button } from '../../ui/button';
import { Check } from '../ui/choice';
import { ExtraFields } from './fields/extra-fields';
import { Labelled, Message, NumberInput, TextInput, useChange, useEditing } from './fields/fields';
import { PostFields } from './fields/post-fields';
import { lastDayOf } from './words';

type Props = { request: RequestItem; draft: OfferDraft; card: RateCard; addPost(): Post };

export function OfferForm({ request, draft, card, addPost }: Props) {
  const set = useChange();
  const { terms } = draft;
  const { end = null, notice_hours: notice = null } = terms;
  return (
    <div className="offer-form">
      <div className="offer-row">
        <TextInput name="start" label="First day" type="date" value={terms.start} />
        {end === null ? null : <TextInput name="end" label="Last day" type="date" value={end} />}
        <Check
          label="Ongoing"
          checked={end === null}
          set={(on) => set('end', on ? null : lastDayOf(terms.start))}
        />
      </div>
      {terms.posts.map((post, nth) => (
        <PostFields
          key={nth}
          {...{ post, nth, card }}
          start={terms.start}
          remove={terms.posts.length > 1 ? () => set('posts', terms.posts.toSpliced(nth, 1)) : undefined}
        />
      ))}
      <Message of="posts" />
      <Button look="line" className="button-small" onClick={() => set('posts', [...terms.posts, addPost()])}>
        Add a post
      </Button>
      <ExtraFields terms={terms} />
      <Words request={request} draft={draft} />
      <div className="offer-row">
        <TextInput name="valid_until" label="Valid until" type="date" value={draft.valid_until} />
        {card.short_notice.tiers.length ? (
          <NumberInput
            name="notice_hours"
            label="Hours of notice"
            hint="Empty: no short-notice rate."
            value={notice}
            empty={null}
            className="offer-short"
          />
        ) : null}
      </div>
    </div>
  );
}

function Words({ request, draft }: Pick<Props, 'request' | 'draft'>) {
  const { draft: now, change } = useEditing();
  return (
    <Labelled name="message" label={`Message to ${request.first_name} (optional)`}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          value={draft.message}
          onInput={(event) => change({ ...now, message: event.currentTarget.value })}
        />
      )}
    </Labelled>
  );
}
