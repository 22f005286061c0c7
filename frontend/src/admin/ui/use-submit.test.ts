// What is said of a call that gets no answer.
import { afterEach, expect, it, vi } from 'vitest';
import { callApi, type Request } from '../../api/admin-client';
import { errorMessage } from './use-submit';

afterEach(() => vi.unstubAllGlobals());

it.each([
  [{}, 'We cannot be reached just now. Please try again.'],
  [{ method: 'POST' }, 'No answer came. It may have been done all the same: check before you try again.'],
] as [Request, string][])('says of %j only what is known', async (request, text) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const error = await callApi('/api/admin/inbox', request).catch((thrown) => thrown);
  expect(errorMessage(error)).toBe(text);
});
