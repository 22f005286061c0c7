// What an open editor says of the changes of colleagues.
import { expect, it } from 'vitest';
import type { SiteContent } from '../../api/site';
import { newsOf } from './use-colleagues';

const draft = (number: number, by: string) => ({ number, by, at: '2026-11-26T12:00:00Z' });
const content = (drafts: Record<string, ReturnType<typeof draft> | null>) =>
  ({
    version: 3,
    sections: Object.entries(drafts).map(([key, draft]) => ({ key, value: {}, draft })),
  }) as unknown as SiteContent;

it('names each draft that others have saved between two readings, but not its own', () => {
  const before = content({ facts: null, faqs: draft(1, 'kim'), clients: null });
  const now = content({ facts: draft(1, 'ana'), faqs: draft(2, 'kim'), clients: draft(1, 'me') });
  expect(newsOf(before, now, [], new Set(['clients 1']))).toEqual([
    'ana saved a draft of Company facts.',
    'kim saved a draft of Questions.',
  ]);
});
