// Clicks on the phone links of the public pages: visitors who called instead of sending a request.
import { listCallClicks } from '../../api/quotes';
import { useRead } from '../session/use-read';
import { Popover } from '../ui/popover';

export function CallClicks() {
  // Supplementary data: an error is not shown.
  const pages = useRead(listCallClicks).found?.pages ?? [];
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
