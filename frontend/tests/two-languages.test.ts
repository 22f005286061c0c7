// What the desk and the server each know by themselves is the same (docs/decisions.md, "Rules that
// stand in two languages").
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { maxWeeks } from '../src/admin/on-call/rotation';
import { emailDelay, undoTime } from '../src/admin/requests/undo';
import { inParts } from '../src/admin/state/use-selection';
import { logoSlot } from '../src/content/clients';

/** A constant of a file of the server; one may stand for a minute. */
function constant(file: string, name: string): number {
  const text = readFileSync(`${import.meta.dirname}/../../src/${file}`, 'utf8');
  const value = new RegExp(`const ${name}: \\w+ = ([\\w_]+);`).exec(text)?.[1] ?? '';
  return value === 'MINUTE_MS' ? 60_000 : Number(value.replaceAll('_', ''));
}

it.each([
  ['domain/on_call/rota/mod.rs', 'MAX_WEEKS', maxWeeks],
  ['domain/request/event/mod.rs', 'UNDO_MS', undoTime],
  ['domain/request/event/mod.rs', 'EMAIL_DELAY_MS', emailDelay],
  ['domain/content/pictures.rs', 'LOGO_DIGITS', logoSlot('0'.repeat(40)).length - 'logo-'.length],
  ['api/inbox/changes/body.rs', 'MAX_BULK', inParts(Array<string>(1200).fill(''))[0]?.length],
])('the number of %s called %s', (file, name, own) => {
  expect(own).toBe(constant(file, name));
});
