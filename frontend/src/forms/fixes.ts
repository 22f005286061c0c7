// Corrected values for fields that were refused: free text without denied tokens, a company name
// without characters that the rule lacks, a phone number whose extension moves to the message.
import { type FieldRule, firstError, pattern } from './rules';

/** The name of the pattern that no free text may contain. */
const denied = 'script_or_sql';

/** A valid value, and what of the old one goes to the message. */
export type Fix = { value: string; moved?: string };

/** The distinct denied tokens of a free text, in order. */
export function findDenied(text: string): string[] {
  const found = text.match(pattern(denied, 'g')) ?? [];
  return [...new Set(found.map((token) => token.trim()))];
}

/** The fixes by the pattern that a field's value must match, or must not contain. */
const fixes: Record<string, (text: string, rule: FieldRule) => Fix> = {
  [denied]: (text) => ({ value: fixText(text) }),
  company: (text) => ({ value: fixCompany(text) }),
  phone: fixPhone,
  contact_phone: fixPhone,
};

/** A fix for a refused value, if there is one that the field accepts. */
export function suggestFix(rule: FieldRule, text: string): Fix | undefined {
  for (const check of rule.checks) {
    const fix = fixes[check.match ?? check.reject ?? '']?.(text, rule);
    if (fix?.value && !firstError(rule, fix.value)) return fix;
  }
  return undefined;
}

/** The text with every denied token replaced or removed. */
export function fixText(text: string): string {
  const token = pattern(denied);
  let fixed = text
    .replace(/(^|[\s([{–—-])'/gu, '$1‘')
    .replace(/'/g, '’')
    .replace(/(^|[\s([{–—-])"/gu, '$1“')
    .replace(/"/g, '”');
  // The match for a prefix such as "xp_" includes the preceding character, which is kept.
  while (token.test(fixed)) fixed = fixed.replace(token, (found) => found.match(/^[^\w;<*/-]/)?.[0] ?? '');
  return fixed.replace(/ {2,}/g, ' ').trim();
}

/** A company name in the characters of the rule: "Acme, Inc." becomes "Acme Inc.". */
export function fixCompany(text: string): string {
  return text
    .replace(/[`´ʼ]/g, '’')
    .replace(/(\S)\+(?=\s|$)/g, '$1 Plus')
    .replace(/\+/g, ' & ')
    .replace(/(\S\s*)@/g, '$1 at ')
    .replace(/#\s*(?=[0-9])/g, ' No. ')
    .replace(/[/|\\:_‐-―]+/g, '-')
    .replace(/[^\p{L}\p{M}0-9 &.'’-]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The first number of the text; the whole text goes to the message if anything else is in it. */
function fixPhone(text: string, rule: FieldRule): Fix {
  const readable = text.replace(/[‐-―−/_]/g, '-').replace(/^[^0-9+(]+/, '');
  const [number = ''] = readable.match(/^[+]?[0-9 ().-]+/) ?? [];
  const value = number.replace(/[ (.-]+$/, '');
  const rest = readable.slice(number.length).trim();
  const fits = !firstError(rule, value);
  return { value: fits ? value : value.replace(/[ ().-]/g, ''), ...(rest ? { moved: text.trim() } : {}) };
}
