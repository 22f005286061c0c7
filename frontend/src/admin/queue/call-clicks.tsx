// Clicks on the phone links of the public pages: visitors who called instead of sending a request.
import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { listCallClicks, type CallClicks as Sums } from '../../api/quotes';
import { useAuth } from '../session/provider';

export function CallClicks() {
  const { manager } = useAuth();
  const [pages, setPages] = useState<Sums['pages']>([]);
  useEffect(() => {
    let wanted = true;
    // Supplementary data: an error is not shown.
    manager.withToken(listCallClicks).then(
      (sums) => wanted && setPages(sums.pages),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [manager]);

  const sum = pages.reduce((all, { taps }) => all + taps, 0);
  if (sum === 0) return null;
  return (
    <details className="call-clicks" onKeyDown={closeOnEscape} onBlur={closeWhenLeft}>
      <summary>
        <strong>{sum.toLocaleString('en-US')}</strong> {sum === 1 ? 'call click' : 'call clicks'} in 30 days
      </summary>
      <div className="call-clicks-list">
        <p className="muted">Clicks on our phone number, by page.</p>
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
