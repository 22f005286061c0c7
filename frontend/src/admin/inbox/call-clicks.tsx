// Clicks on the phone links of the public pages: visitors who called instead of sending a request.
import { useEffect, useState } from 'react';
import { listCallClicks, type CallClicks as Sums } from '../../api/quotes';
import { useAuth } from '../session/provider';
import { Popover } from '../ui/popover';

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
  const summary = (
    <>
      <strong>{sum.toLocaleString('en-US')}</strong> {sum === 1 ? 'call click' : 'call clicks'}
      <span className="call-clicks-days"> in 30 days</span>
    </>
  );
  return (
    <Popover className="call-clicks" summary={summary}>
      <p className="muted">Clicks on our phone number, by page.</p>
      <ul>
        {pages.map(({ page, taps }) => (
          <li key={page}>
            <a href={page}>{page}</a> <span>{taps.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
    </Popover>
  );
}
