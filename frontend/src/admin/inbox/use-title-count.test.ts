import { expect, it } from 'vitest';
import type { RequestItem } from '../../api/inbox';
import { noRequests, type RequestList } from '../requests/request-list-state';
import { titleCount } from './counts';

it('counts new requests and listed ones with an unread message, each once', () => {
  expect(titleCount(noRequests)).toBe(0);
  const read = { unread: false } as RequestItem;
  const unread = { unread: true } as RequestItem;
  const requests = new Map([
    ['read', read],
    ['unread', unread],
    ['new', read],
    ['back', unread],
    ['elsewhere', unread],
  ]);
  const listed = { ids: ['read', 'unread'], unseen: ['new', 'back'] };
  const list = { ...listed, views: { unmatched: 2 } } as unknown as RequestList;
  expect(titleCount({ requests, list }), 'with two emails without a request').toBe(5);
});
