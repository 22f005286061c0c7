// Why a request is held as possible spam; it is released or discarded by the buttons below.
import type { RequestItem } from '../../api/inbox-types';

export function HeldBox({ request }: { request: RequestItem }) {
  if (!request.held) return null;
  return (
    <section className="held-box" aria-label="Held">
      <p>
        <strong>Held as possible spam.</strong> No email has left. Release it if it is real.
      </p>
      <ul>
        {request.held_reasons.map(({ signal, points, detail }) => (
          <li key={signal}>
            {detail} <span className="muted">({points === 1 ? '1 point' : `${points} points`})</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
