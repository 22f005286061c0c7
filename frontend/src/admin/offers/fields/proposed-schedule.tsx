// A schedule that nobody has confirmed: from which words it was taken, and one press for yes.
import { useContext, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button';
import { wordsOf } from '../asked/asked-text';
import { confirmed } from '../proposed';
import { EditingContext } from './fields';

export function ProposedSchedule({ nth }: { nth: number }) {
  const { draft, faults, asked, change } = useContext(EditingContext);
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
