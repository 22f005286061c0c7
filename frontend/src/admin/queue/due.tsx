// The clock of a request, in words: time left, overdue, answered, or how old it is.
import type { RequestItem } from '../../api/inbox-types';
import { dateTime, elapsed, timeLeft } from './format';

export function Due({ request, now }: { request: RequestItem; now: number }) {
  const left = timeLeft(request, now);
  if (left) {
    return (
      <span className={left.overdue ? 'row-due overdue' : 'row-due'}>
        <time dateTime={request.due_at} title={`Answer due ${dateTime(request.due_at)}`}>
          {left.text}
        </time>
      </span>
    );
  }
  const { answered_at: answered, created_at: received } = request;
  return (
    <span className={answered ? 'row-due answered' : 'row-due'}>
      <time
        dateTime={answered ?? received}
        title={answered ? `Answered ${dateTime(answered)}` : `Received ${dateTime(received)}`}
      >
        {answered ? 'Answered' : `${elapsed(received, now)} old`.replace('now old', 'New')}
      </time>
    </span>
  );
}
