// Where a search has found a request, if its row does not show it.
import type { FoundIn } from '../../api/inbox-types';

const names: Record<FoundIn['part'], string> = {
  reference: 'Reference',
  email: 'Email',
  phone: 'Phone',
  words: 'In their words',
  note: 'Note',
  call: 'Call',
  reply: 'Reply',
  message: 'Their email',
  file: 'File',
  other: 'Found in a merged request or an outcome',
};

export function RowFound({ found }: { found: FoundIn | undefined }) {
  if (!found) return null;
  return (
    <span className="row-found">
      <strong>{names[found.part]}</strong>
      {found.excerpt ? `: ${found.excerpt}` : ''}
    </span>
  );
}
