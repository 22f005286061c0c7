import { expect, it } from 'vitest';
import type { RequestItem } from '../../api/inbox-types';
import { newRequestsText } from './new-requests-text';

const plain = { status: 'pending', emergency_contact: false } as RequestItem;
const written = { ...plain, unread: true };
const emergency = { ...plain, emergency_contact: true };

it.each([
  [[], ''],
  [[plain], '1 new request'],
  [[emergency], '1 new request, an emergency'],
  [[plain, emergency, plain], '3 new requests, 1 emergency'],
  [[emergency, emergency], '2 new requests, 2 emergencies'],
  [[{ ...emergency, status: 'cancelled' as const }], '1 new request'],
  [[written], '1 new message'],
  [[{ ...emergency, unread: true }], '1 new message, an emergency'],
  [[plain, written, emergency, written], '2 new requests, 2 new messages, 1 emergency'],
  [Array.from({ length: 50 }, () => plain), '50+ new requests'],
])(
  'says how many requests are new or have a new message, and how many of them want a call',
  (unseen, text) => {
    expect(newRequestsText(unseen)).toBe(text);
  },
);
