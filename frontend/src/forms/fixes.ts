// Corrected values for fields that were refused: free text without denied tokens, a company name
// without characters that the rule lacks, a phone number whose extension moves to the message.
import { filterInput } from './input-filter';
import { type FieldRule, firstError, pattern, unwrapLinks } from './rules';

/** The name of the pattern that no free text may contain. */
const denied = 'script_or_sql';

/** A valid value, and what of the old one goes to the message. */
export type Fix = { value: string; moved?: string };

/** The distinct denied tokens of a free text, in order. */
export function findDenied(text: string): string[] {
  const found = unwrapLinks(text).match(new RegExp(`${tag.source}|${pattern(denied).source}`, 'gu')) ?? [];
  return [...new Set(found.map((token) => token.trim()))];
}

/** What cleaning takes for an HTML tag. */
const tag = /<\/?[A-Za-z!][^<>]*>/gu;

/** The fixes by the pattern that a field's value must match, or must not contain. */
const fixes: Record<string, (text: string, rule: FieldRule) => Fix> = {
  [denied]: (text) => ({ value: fixText(text) }),
  company: (text) => {
    const value = fixCompany(text);
    // A company that is spelled otherwise is worth a line; the message takes commas.
    return /[,/|+@#(]/.test(text) ? { value, moved: text.trim() } : { value };
  },
  name: (text) => ({ value: fixName(text) }),
  email: (text) => ({ value: fixEmail(text) }),
  phone: fixPhone,
  contact_phone: fixPhone,
};

/** A fix for a refused or doubtful value, if there is one that the field accepts. */
export function suggestFix(rule: FieldRule, text: string): Fix | undefined {
  for (const check of rule.checks) {
    const fix = fixes[check.match ?? check.reject ?? '']?.(text, rule);
    if (fix?.value && fix.value !== text.trim() && !firstError(rule, fix.value)) return fix;
  }
  return undefined;
}

/** Endings of domains that people mistype. */
const domains: [RegExp, string][] = [
  [/@(gmial|gmai|gamil|gnail|gmal|gmaill|gmil|gmali)[.]com?$/i, '@gmail.com'],
  [/@gmail[.](co|con|cm|om|cmo|comm)$/i, '@gmail.com'],
  [/@(yaho|yahooo|yhoo|yaoo|yahho)[.]com?$/i, '@yahoo.com'],
  [/@yahoo[.](co|con|cm|cmo)$/i, '@yahoo.com'],
  [/@(hotmial|hotmal|hotmai|hotmil|homail|hotamil)[.]com?$/i, '@hotmail.com'],
  [/@hotmail[.](co|con|cm|cmo)$/i, '@hotmail.com'],
  [/@(outlok|outloo|oulook|outllok|otlook)[.]com?$/i, '@outlook.com'],
  [/@outlook[.](co|con|cm|cmo)$/i, '@outlook.com'],
  [/@(iclod|icoud|icluod)[.]com?$/i, '@icloud.com'],
  [/@icloud[.](co|con|cm|cmo)$/i, '@icloud.com'],
  [/[.](con|cmo|vom|xom)$/i, '.com'],
];

/**
 * The address with a common mistake in its domain corrected; the address itself if there is none.
 */
export function fixEmail(text: string): string {
  const address = text.trim();
  const [mistake, right] = domains.find(([mistyped]) => mistyped.test(address)) ?? [];
  return mistake && right ? address.replace(mistake, right) : address;
}

/**
 * The text without denied tokens, in the same meaning: `;` becomes a comma, `--` a dash, `<ASAP>`
 * its word. `fix_text` in src/domain/form/fixes.rs does the same; both run seeds/forms/fixes.json.
 */
export function fixText(text: string): string {
  const token = pattern(denied);
  let fixed = filterInput(text, { stripHtml: true, freeText: true })
    .replace(/ *;+[ ;]*$/gm, '')
    .replace(/ *;+[ ;]*/g, ', ')
    .replace(/ *--+ */g, ' – ')
    .replace(/[/][*]|[*][/]/g, ' ');
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

/** A name in the characters of the rule: "Smith, Jr." becomes "Smith Jr."; not one with digits. */
function fixName(text: string): string {
  if (/[0-9]/.test(text)) return '';
  return text
    .replace(/[`´ʼ‘′]/g, '’')
    .replace(/[^\p{L}\p{M} .'’-]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The digits that a phone has for letters. */
const keypad = (letters: string) =>
  letters.replace(/[a-z]/gi, (letter) =>
    String('22233344455566677778889999'.charAt(letter.toLowerCase().charCodeAt(0) - 97)),
  );

/** The number of a phone word, as "1-800-356-9377" of "1-800-FLOWERS". */
function phoneWord(text: string): string | undefined {
  const [, country = '', area, word = ''] =
    /^[+(]*(1?)[ .(-]*([0-9]{3})[ .)-]*([0-9a-z .-]*[a-z][0-9a-z .-]*)$/i.exec(text.trim()) ?? [];
  const digits = keypad(word).replace(/[^0-9]/g, '');
  if (!area || digits.length !== 7) return undefined;
  return `${country && '1-'}${area}-${digits.slice(0, 3)}-${digits.slice(3)}`;
}

/** The first number of the text; the whole text goes to the message if anything else is in it. */
function fixPhone(text: string, rule: FieldRule): Fix {
  const word = phoneWord(text);
  if (word) return { value: word };
  const readable = text.replace(/[‐-―−/_]/g, '-').replace(/^[^0-9+(]+/, '');
  const [number = ''] = readable.match(/^[+]?[0-9 ().-]+/) ?? [];
  const value = number.replace(/[ (.-]+$/, '');
  const rest = readable.slice(number.length).trim();
  const fits = !firstError(rule, value);
  return { value: fits ? value : value.replace(/[ ().-]/g, ''), ...(rest ? { moved: text.trim() } : {}) };
}
