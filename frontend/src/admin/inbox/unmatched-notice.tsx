// Emails that belong to no request count in "Needs attention", where they have no row: a line leads
// to them.
import type { DeskUrl } from '../requests/desk-url';

export function UnmatchedNotice({ url, count }: { url: DeskUrl; count: number }) {
  if (url.view !== 'attention' || Object.keys(url.filters).length > 0 || count === 0) return null;
  const text = count === 1 ? '1 email belongs' : `${count.toLocaleString('en-US')} emails belong`;
  return (
    <p className="unmatched-notice">
      {`${text} to no request. `}
      <a href="/admin?view=unmatched">Open Unmatched</a>
    </p>
  );
}
