// The numbers of what is stored about a person, in words.
import type { VisitorData } from '../../../api/person';

type Numbers = Pick<VisitorData, 'quotes' | 'messages' | 'emails' | 'files' | 'history' | 'search_entries'>;

/** As in "2 quote requests, 1 email and the search words of 2 requests"; "Nothing" if all are 0. */
export function storedText(data: Numbers): string {
  const parts = [
    counted(data.quotes, 'quote request'),
    counted(data.messages, 'message'),
    counted(data.emails, 'email'),
    counted(data.files, 'file'),
    counted(data.history, 'entry of their history', 'entries of their history'),
    data.search_entries > 0 ? `the search words of ${counted(data.search_entries, 'request')}` : '',
  ].filter(Boolean);
  const last = parts.pop() ?? 'Nothing';
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : last;
}

function counted(count: number, one: string, many = `${one}s`): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${many}`;
}
