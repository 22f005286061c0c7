// To which address a reply goes.
import { expect, it } from 'vitest';
import type { EventOf } from '../../../api/inbox';
import { answerAddresses, firstAddress } from './answered-since';

const wrote = (detail: unknown) => ({ id: 1, verb: 'wrote', detail }) as EventOf<'wrote'>;
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

it.each<[string, EventOf<'wrote'> | undefined, string]>([
  ['nothing waits', undefined, maria],
  ['a verified message asks for it', wrote({ reply_to: team, counts: true }), team],
  ['anybody may have asked', wrote({ reply_to: team, counts: false }), maria],
  ['no message asks for another', wrote({ counts: true }), maria],
])('chooses the address where %s', (_, waiting, expected) => {
  expect(firstAddress(waiting, maria)).toBe(expected);
});

it('has no other address where the customer gave none', () => {
  expect(firstAddress(wrote({ reply_to: team, counts: false }), '')).toBe(team);
});
