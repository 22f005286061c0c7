// Suggested fixes for denied characters in free text: straight quotes become typographic ones,
// other denied tokens are removed.
import { type Check, type FieldRule, pattern } from './rules';

function denyCheck(rule: FieldRule): Check | undefined {
  return rule.free_text ? rule.checks.find((check) => check.refuse) : undefined;
}

/** Whether `fixText` can resolve this error message. */
export function isFixable(rule: FieldRule, message: string | undefined): boolean {
  return message !== undefined && denyCheck(rule)?.say === message;
}

/** The distinct denied tokens of a text, in order. */
export function findDenied(rule: FieldRule, text: string): string[] {
  const found = text.match(pattern(denyCheck(rule)?.refuse ?? '', 'g')) ?? [];
  return [...new Set(found.map((token) => token.trim()))];
}

/** The text with every denied token replaced or removed. */
export function fixText(rule: FieldRule, text: string): string {
  const token = pattern(denyCheck(rule)?.refuse ?? '');
  let fixed = text
    .replace(/(^|[\s([{–—-])'/gu, '$1‘')
    .replace(/'/g, '’')
    .replace(/(^|[\s([{–—-])"/gu, '$1“')
    .replace(/"/g, '”');
  // The match for a prefix such as "xp_" includes the preceding character, which is kept.
  while (token.test(fixed)) fixed = fixed.replace(token, (found) => found.match(/^[^\w;<*/-]/)?.[0] ?? '');
  return fixed.replace(/ {2,}/g, ' ').trim();
}
