// The signals of spam of a request. A held one is released or discarded by the buttons below.
import type { RequestItem } from '../../api/inbox';

/** Points at which a request is held unless it asks for a call (`src/domain/spam`). */
const HOLD_AT = 5;

export function HeldBox({ request }: { request: RequestItem }) {
  const { held, held_reasons: reasons } = request;
  if (!held && !isUnanswered(request)) return null;
  return (
    <section className={held ? 'held-box' : 'signals-box'} aria-label={held ? 'Held' : 'Signs of spam'}>
      <p>{held ? heldText : unansweredText}</p>
      <ul>
        {reasons.map(({ signal, points, detail }) => (
          <li key={signal}>
            {detail} <span className="muted">({points === 1 ? '1 point' : `${points} points`})</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const heldText = (
  <>
    <strong>Held as possible spam.</strong> No email has left. Release it if it is real.
  </>
);

/** Whether an emergency was not held, but got no acknowledgement; others have too few signs. */
function isUnanswered({ emergency_contact: urgent, held_reasons: reasons }: RequestItem): boolean {
  const points = reasons.reduce((sum, reason) => sum + reason.points, 0);
  return urgent && (points >= HOLD_AT || reasons.some(({ signal }) => signal === 'trap'));
}

const unansweredText = (
  <>
    <strong>Signs of spam.</strong> No acknowledgement was sent to the address: it may belong to another
    person.
  </>
);
