import { expect, it } from 'vitest';
import { byReason } from '../inbox/notices';

it('says each reason once, with the numbers of its requests', () => {
  const closed = 'This request is cancelled; it cannot become in_progress.';
  const refused = [
    { id: '1', reference: 'GP-2222', detail: closed },
    { id: '2', detail: 'There is no request with this id or reference.' },
    { id: '3', reference: 'GP-3333', detail: closed },
  ];
  expect(byReason(refused)).toEqual([
    { reason: closed, names: ['GP-2222', 'GP-3333'] },
    { reason: 'There is no request with this id or reference.', names: ['2'] },
  ]);
});
