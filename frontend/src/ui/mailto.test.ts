import { expect, it } from 'vitest';

import { mailtoLink } from '../admin/panel/panel-head';

it.each([
  ['marta@property.example', 'mailto:marta@property.example'],
  ['ann?bcc=spy%40evil.example@tower.example', 'mailto:ann%3Fbcc%3Dspy%2540evil.example@tower.example'],
  ['ann&cc=a,b@tower.example', 'mailto:ann%26cc%3Da%2Cb@tower.example'],
])('links to %s and presets nothing', (address, link) => {
  expect(mailtoLink(address)).toBe(link);
  const url = new URL(link);
  expect([url.search, decodeURIComponent(url.pathname)]).toEqual(['', address]);
});
