// To which address a reply goes.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox';
import { answerAddresses, firstAddress } from './answered-since';

const wrote = (detail: unknown) => ({ id: 1, verb: 'wrote', detail }) as HistoryEvent;
const maria = 'maria@property.example';
const team = 'team@property.example';

it('offers the customer and each address at which a message asks for its answer, once', () => {
  expect(answerAddresses([], maria)).toEqual([maria]);
  const history = [
    wrote({ reply_to: 'old@x.example' }),
    wrote({ reply_to: 'Maria@property.example' }),
    wrote({ reply_to: team }),
    wrote({}),
  ];
  expect(answerAddresses(history, maria)).toEqual([maria, team, 'old@x.example']);
});

it.each<[string, HistoryEvent[], string]>([
  ['nothing waits', [], maria],
  ['a verified message asks for it', [wrote({ reply_to: team, counts: true })], team],
  ['anybody may have asked', [wrote({ reply_to: team, counts: false })], maria],
  ['no message asks for another', [wrote({ counts: true })], maria],
])('chooses the address where %s', (_, history, expected) => {
  expect(firstAddress(history, maria)).toBe(expected);
});

it('has no other address where the customer gave none', () => {
  expect(firstAddress([wrote({ reply_to: team, counts: false })], '')).toBe(team);
});
