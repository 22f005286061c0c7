// The example beside the rates is a week from next Monday.
import card from '@seeds/offers/rate-card.json';
import { expect, it } from 'vitest';
import type { RateCard } from '../../api/offers';
import { exampleDraft } from './example-offer';

const rates = card as unknown as RateCard;
const friday = new Date(2026, 5, 5);

it('begins next Monday, and has visits for a class that is charged by them', () => {
  const around = exampleDraft(rates, { class: 'fire-watch', officers: 2, state: 'TX' }, friday);
  expect([around.terms.start, around.terms.end]).toEqual(['2026-06-08', '2026-06-14']);
  expect(around.terms.posts[0]).toMatchObject({ officers: 2, schedule: { kind: 'always' } });
  const patrol = exampleDraft(rates, { class: 'patrol-visit', officers: 1, state: 'OH' }, friday);
  expect(patrol.terms.posts[0]?.schedule.kind).toBe('visits');
});
