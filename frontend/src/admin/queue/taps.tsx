// How often the phone links of the public pages were tapped: the visitors who called and left no request.
import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { listTaps, type Taps as Sums } from '../../api/triage';
import { useAuth } from '../session/provider';

export function Taps() {
  const { keeper } = useAuth();
  const [pages, setPages] = useState<Sums['pages']>([]);
  useEffect(() => {
    let wanted = true;
    // A figure beside the work: where it cannot be had, nobody is bothered.
    keeper.authorised(listTaps).then(
      (sums) => wanted && setPages(sums.pages),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [keeper]);

  const sum = pages.reduce((all, { taps }) => all + taps, 0);
  if (sum === 0) return null;
  return (
    <details className="taps" onKeyDown={closeOnEscape} onBlur={closeWhenLeft}>
      <summary>
        <strong>{sum.toLocaleString('en-US')}</strong> {sum === 1 ? 'phone tap' : 'phone taps'} in 30 days
      </summary>
      <div className="taps-list">
        <p className="muted">Visitors who tapped our number instead of writing, by page.</p>
        <ul>
          {pages.map(({ page, taps }) => (
            <li key={page}>
              <a href={page}>{page}</a> <span>{taps.toLocaleString('en-US')}</span>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>) {
  const list = event.currentTarget;
  if (event.key !== 'Escape' || !list.open) return;
  list.open = false;
  list.querySelector('summary')?.focus();
  event.preventDefault();
}

function closeWhenLeft(event: FocusEvent<HTMLDetailsElement>) {
  const list = event.currentTarget;
  if (event.relatedTarget && !list.contains(event.relatedTarget as Node)) list.open = false;
}
