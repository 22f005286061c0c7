// The fields of one post: where, who, how many, when. Each change names its field by its path in
// the draft, as `posts.0.city`; faults of the server have the same paths.

import { useEffect, useRef, useState } from 'react';
import type { Post, RateCard } from '../../../api/offers';
import { Button } from '../../../ui/button';
import { Check, type Option } from '../../ui/choice';
import { wordsOf } from '../asked';
import { confirmed, stateOptions, withClass } from '../draft';
import { Select } from './choice-fields';
import { Message, NumberInput, TextInput, useChange, useEditing } from './fields';
import { ScheduleFields } from './schedule-fields';

type Props = {
  post: Post;
  /** Its index among the posts. */
  nth: number;
  card: RateCard;
  /** The first day of the offer, for a schedule of dates. */
  start: string;
  /** Undefined if it is the only one. */
  remove: (() => void) | undefined;
};

export function PostFields({ post, nth, card, start, remove }: Props) {
  const set = useChange();
  const at = `posts.${nth}`;
  const unit = card.classes[post.class]?.unit;
  const classes = Object.entries(card.classes).map(([key, { title }]): Option => [key, title]);
  const equipment = Object.entries(card.equipment);
  return (
    <fieldset className="offer-post">
      <legend>{post.title || `Post ${nth + 1}`}</legend>
      <div className="offer-row">
        <Select
          name={`${at}.class`}
          label="Officers"
          className="offer-long"
          value={post.class}
          options={classes}
          choose={(key) => set(at, withClass(post, key, card, start))}
        />
        <NumberInput
          name={`${at}.officers`}
          label={unit === 'seat' ? 'Seats' : 'How many'}
          value={post.officers}
          className="offer-short"
        />
      </div>
      <div className="offer-row">
        <TextInput name={`${at}.city`} label="City" value={post.city} />
        <Select name={`${at}.state`} label="State" value={post.state} options={stateOptions} />
      </div>
      <div className="offer-row">
        <ScheduleFields schedule={post.schedule} name={`${at}.schedule`} unit={unit} start={start} />
      </div>
      <ProposedSchedule nth={nth} />
      <details className="site-folded">
        <summary>{moreText(post, equipment.length)}</summary>
        <TextInput name={`${at}.title`} label="Name of the post (optional)" value={post.title} />
        {equipment.map(([key, { title }]) => (
          <Check
            key={key}
            label={title}
            checked={post.equipment.includes(key)}
            set={(on) => {
              const others = post.equipment.filter((one) => one !== key);
              set(`${at}.equipment`, on ? [...others, key] : others);
            }}
          />
        ))}
        <Message of={`${at}.equipment`} />
        {unit === 'hour' ? (
          <Check
            label="The same officers work all shifts (overtime applies)"
            checked={post.same_officers}
            set={(on) => set(`${at}.same_officers`, on)}
          />
        ) : null}
      </details>
      {remove ? (
        <Button look="quiet" onClick={remove} aria-label={`Remove post ${nth + 1}`}>
          Remove this post
        </Button>
      ) : null}
    </fieldset>
  );
}

function moreText(post: Post, choices: number): string {
  const chosen = post.equipment.length;
  if (chosen) return `Name and equipment (${chosen} chosen)`;
  return choices ? 'Name and equipment' : 'Name';
}

/** An unconfirmed schedule: from which words it was taken, and one press for yes. */
function ProposedSchedule({ nth }: { nth: number }) {
  const { draft, faults, asked, change } = useEditing();
  const [pressed, setPressed] = useState(false);
  const done = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (pressed) done.current?.focus();
  }, [pressed]);
  if (!draft.unconfirmed_schedules.includes(nth))
    return pressed ? (
      <p ref={done} className="muted" tabIndex={-1}>
        Confirmed.
      </p>
    ) : null;
  const words = nth === 0 ? wordsOf(asked, 'schedule') : '';
  const isWrong = Boolean(faults[`posts.${nth}.schedule`]);
  return (
    <p className="offer-proposed">
      <span>{words ? `Taken from ${words}.` : 'Proposed: the customer did not say it plainly.'}</span>
      <Button
        look="line"
        className="button-small"
        data-fault={isWrong || undefined}
        onClick={() => {
          setPressed(true);
          change(confirmed(draft, nth));
        }}
      >
        Confirm days and hours
      </Button>
    </p>
  );
}
