// Tests of text cleaning: against the rule as written, and against generated texts in a fixture
// that the server tests share (seeds/forms/cleaning.json; `npx vitest run
// src/forms/cleaning.test.ts -u` regenerates it).
import { describe, expect, it } from 'vitest';
import { cleanText, stripTags } from './rules';

/** A deterministic generator of numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pieces = [
  ...[
    '<',
    '<',
    '<',
    '>',
    '>',
    '>',
    '/',
    '!',
    'a',
    'B',
    '1',
    'é',
    '🔒',
    ' ',
    '\u00a0',
    '\t',
    '\n',
    '\r',
    '\r\n',
  ],
  ...[
    '<b>',
    '</b>',
    '<!--',
    '<a@b.co>',
    '<mailto:',
    'a@b.co',
    '<https://',
    '<www.b.co/a?b=1>',
    '-->',
    '< ',
    ' >',
    '\u0000',
    '\u0085',
    '\u009b',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2028',
  ],
];

const next = numbers(20261121);
const texts = Array.from({ length: 1000 }, () =>
  Array.from({ length: Math.ceil(next() * 14) }, () => pieces[Math.floor(next() * pieces.length)]).join(''),
);

/** JSON with every non-ASCII character escaped. */
function ascii(texts: string[]): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(texts).replace(/[^ -~]/g, escaped);
}

/** The ranges of code points that cleaning removes. */
function removedRanges(): [number, number][] {
  const ranges: [number, number][] = [];
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const surrogate = point >= 0xd800 && point <= 0xdfff;
    if (surrogate || cleanText(`a${String.fromCodePoint(point)}b`, true) !== 'ab') continue;
    const last = ranges.at(-1);
    if (last?.[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges;
}

/** The reference implementation: removes tags until none is left. */
function stripTagsByRule(text: string): string {
  const less = text.replace(/<\/?[A-Za-z!][^<>]*>/g, '');
  return less === text ? text : stripTagsByRule(less);
}

describe('cleaning', () => {
  it('strips tags like the reference implementation', () => {
    for (const text of texts) expect(stripTags(text)).toBe(stripTagsByRule(text));
  });

  it('does not change cleaned text', () => {
    for (const text of texts) {
      for (const multiline of [true, false]) {
        const cleaned = cleanText(text, multiline);
        expect(cleanText(cleaned, multiline)).toBe(cleaned);
      }
    }
  });

  it('removes the same characters and cleans generated texts as the server does', async () => {
    const rows = texts.map((text) => ascii([text, cleanText(text, true), cleanText(text, false)]));
    const file = `{\n"dropped": ${JSON.stringify(removedRanges())},\n"texts": [\n${rows.join(',\n')}\n]\n}\n`;
    await expect(file).toMatchFileSnapshot('../../../seeds/forms/cleaning.json');
  });

  it('runs in linear time on a megabyte of brackets and spaces', () => {
    const many = 500_000;
    const spread = `<${' '.repeat(many)}${'>'.repeat(many)}`;
    expect(stripTags(spread)).toBe(spread);
    expect(stripTags('<a'.repeat(many) + '>'.repeat(many))).toBe('');
    const gap = `a${' '.repeat(many)}b`;
    expect(cleanText(gap, true)).toBe(gap);
  });
});
