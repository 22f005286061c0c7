import { expect, it } from 'vitest';
import type { RequestItem } from '../../api/inbox';
import { newRequestsText } from '../list/new-requests-banner';

const due = { due: true } as RequestItem['follow_up'];
const plain = { status: 'pending', emergency_contact: false } as RequestItem;
const unread = { ...plain, unread: true };
const emergency = { ...plain, id: 'a', emergency_contact: true, awaits_call: true };
const other = { ...emergency, id: 'b' };
const reminder = { ...plain, follow_up: due };

it.each([
  [[], ''],
  [[plain], '1 new request'],
  [[emergency], '1 new request, an emergency'],
  [[plain, emergency, plain], '3 new requests, 1 emergency'],
  [[emergency, other], '2 new requests, 2 emergencies'],
  [[{ ...emergency, awaits_call: false }], '1 new request'],
  [[unread], '1 new message'],
  [[{ ...emergency, unread: true }], '1 new message, an emergency'],
  [[plain, unread, emergency, unread], '2 new requests, 2 new messages, 1 emergency'],
  [[reminder], '1 reminder'],
  [[plain, reminder, { ...unread, follow_up: due }], '1 new request, 1 new message, 1 reminder'],
  [Array.from({ length: 50 }, () => plain), '50+ new requests'],
  [[plain, ...Array.from({ length: 49 }, () => emergency)], '50+ new requests, 49 emergencies'],
])(
  'says how many requests are new or have a new message, and how many of them want a call',
  (unseen, text) => {
    expect(newRequestsText(unseen)).toBe(text);
  },
);
