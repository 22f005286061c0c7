// The clock of a request, in words: time left, overdue, answered, or how old it is.
import type { RequestItem } from '../../api/inbox';
import { shortTime } from '../requests/follow-up-times';
import { dateTime, elapsed, isOpen, timeLeft } from '../requests/format';

export function Due({ request, now }: { request: RequestItem; now: number }) {
  const left = timeLeft(request, now);
  const { follow_up: followUp } = request;
  if (followUp && !followUp.due && isOpen(request) && !request.waiting_since) {
    return (
      <span className="row-due answered">
        <time dateTime={followUp.at} title={`Reminder ${dateTime(followUp.at)}`}>
          {`Until ${shortTime(followUp.at, now)}`}
        </time>
      </span>
    );
  }
  if (left && request.due_at) {
    return (
      <span className={left.overdue ? 'row-due overdue' : 'row-due'}>
        <time
          dateTime={request.due_at}
          title={`${request.emergency_contact ? 'Call' : 'Answer'} due ${dateTime(request.due_at)}`}
        >
          {left.text}
        </time>
      </span>
    );
  }
  const { created_at: received } = request;
  // A returned email is not an answer.
  const answered = request.reply_failed ? undefined : request.answered_at;
  const done = request.emergency_contact ? 'Reached' : 'Answered';
  return (
    <span className={answered ? 'row-due answered' : 'row-due'}>
      <time
        dateTime={answered ?? received}
        title={answered ? `${done} ${dateTime(answered)}` : `Received ${dateTime(received)}`}
      >
        {answered ? done : `${elapsed(received, now)} old`.replace('now old', 'New')}
      </time>
    </span>
  );
}
