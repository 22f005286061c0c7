// Putting right what the rule for free text refuses: straight quotes become typographic ones, the other tokens go.
import { type Check, type FieldRule, pattern } from './rules';

function denyCheck(rule: FieldRule): Check | undefined {
  return rule.free_text ? rule.checks.find((check) => check.refuse) : undefined;
}

/** Whether this message is one that `mend` can cure. */
export function isFixable(rule: FieldRule, message: string | undefined): boolean {
  return message !== undefined && denyCheck(rule)?.say === message;
}

/** The refused characters in a text, each once, in order. */
export function findDenied(rule: FieldRule, text: string): string[] {
  const found = text.match(pattern(denyCheck(rule)?.refuse ?? '', 'g')) ?? [];
  return [...new Set(found.map((token) => token.trim()))];
}

/** The text as the rule accepts it. */
export function fixText(rule: FieldRule, text: string): string {
  const token = pattern(denyCheck(rule)?.refuse ?? '');
  let fixed = text
    .replace(/(^|[\s([{–—-])'/gu, '$1‘')
    .replace(/'/g, '’')
    .replace(/(^|[\s([{–—-])"/gu, '$1“')
    .replace(/"/g, '”');
  // A prefix such as "xp_" is found with the character before it, which stays.
  while (token.test(fixed)) fixed = fixed.replace(token, (found) => found.match(/^[^\w;<*/-]/)?.[0] ?? '');
  return fixed.replace(/ {2,}/g, ' ').trim();
}
