// What two tabs have typed and not saved is kept beside each other.
import { expect, it } from 'vitest';
import { keep, readKept } from './kept-edits';

it('keeps the sections of another tab, and forgets what was saved here', () => {
  const [faqs, press] = [
    { value: ['a'], base: 0 },
    { value: ['b'], base: 3 },
  ];
  keep('ana', {}, { faqs });
  keep('ana', {}, { press });
  expect(readKept('ana')).toEqual({ faqs, press });
  keep('ana', { faqs }, {});
  expect(readKept('ana')).toEqual({ press });
});
