// No two texts contradict each other: times and figures come from one table each, and sentences
// that were corrected do not come back. Run after `npm run build`.

import { readdirSync, readFileSync } from 'node:fs';
import contact from '@seeds/forms/contact.json';
import quote from '@seeds/forms/quote.json';
import company from '@seeds/site/company.json';
import insurance from '@seeds/site/insurance.json';
import prices from '@seeds/site/prices.json';
import promises from '@seeds/site/promises.json';
import services from '@seeds/site/services.json';
import { describe, expect, it } from 'vitest';

const root = `${import.meta.dirname}/../../`;
const dist = `${root}frontend/dist/`;
const rows: { path: string; key: string; file: string }[] = JSON.parse(
  readFileSync(`${dist}pages.json`, 'utf8'),
);

/**
 * What visitors read on a page, with the promises filled in; elements are separated by a space.
 * `hidden` is what they do not see.
 */
function textOf(file: string, hidden: RegExp | string = ''): string {
  const html = readFileSync(dist + file, 'utf8')
    .replace(/<head>.*<\/head>/s, '')
    .replace(hidden, '');
  const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return text.replace(/{{company.promise_([a-z_]+)}}/g, (_, key) => promises[key as keyof typeof promises]);
}

const visited = rows.filter(({ key }) => !/^(admin|api)/.test(key));
const pages = visited.map(({ path, file }) => ({ path, text: textOf(file) }));

/** The same without the samples, which a public site leaves out, and the pages of the states. */
const publicPages = visited
  .filter(({ path }) => !path.startsWith('/states/'))
  .map(({ path, file }) => ({ path, text: textOf(file, /<(\w+) data-if="company.samples".*?<\/\1>/gs) }));

/** Files whose words are shown to people: below a folder, of some kinds. */
function files(folder: string, kinds: RegExp): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => kinds.test(name) && !/test\.tsx?$|cases|cleaning/.test(name))
    .map((name) => `${folder}/${name}`);
}

const shown = [
  ...files('seeds', /\.json$/),
  ...files('frontend/src', /\.tsx?$/),
  ...files('src/outbox/email/templates', /\.(jinja|txt|html)$/),
];

describe('the promises', () => {
  it('are the only times of arrival, start and answer on any page', () => {
    const allowed = new Set(Object.values(promises));
    const times = /\b(?:[0-9]+ ?(?:to|-|–) ?[0-9]+|within [0-9]+) (?:hours|minutes)\b/g;
    const wrong = pages.flatMap(({ path, text }) =>
      (text.match(times) ?? [])
        .map((time) => time.replace('within ', ''))
        .filter((time) => !allowed.has(time))
        .map((time) => `${path}: ${time}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are written out nowhere but in their table and in the words of the specification', () => {
    const literal = /2 ?(?:to|-|–) ?4 hours|24 ?(?:to|-|–) ?48 hours|within 24 hours/;
    const found = shown.filter((file) => literal.test(readFileSync(root + file, 'utf8')));
    expect(found.sort()).toEqual([
      'seeds/forms/contact.json',
      'seeds/forms/quote.json',
      'seeds/site/promises.json',
    ]);
    for (const { outcomes } of [contact, quote])
      expect(outcomes.sent.detail).toContain(`within ${promises.answer}`);
  });

  it('name one time to a visitor who asked for a call right away', () => {
    expect(JSON.stringify(quote.outcomes.banner)).not.toMatch(/hours|minutes/);
  });

  it('are kept by the sample of a fire watch log', () => {
    const watch = services.pages.find(({ key }) => key === 'fire-watch');
    const minutes = watch?.sample_record.rows.map(([time = '']) => {
      const [hour, minute] = time.split(':').map(Number);
      return Number(hour) * 60 + Number(minute);
    }) as number[];
    const gaps = minutes.slice(1).map((minute, at) => minute - (minutes[at] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(Number.parseInt(promises.round_sleeping, 10));
  });
});

it('says no other figure of the company than its own', () => {
  const own = new Map(company.stats.map(({ value, label }) => [label, value]));
  const kinds: Record<string, RegExp> = {
    'years in business': /([0-9,]+\+?) years in business/g,
    'client locations a year': /([0-9,]+\+?) client locations/g,
    guards: /([0-9,]+\+) guards\b/g,
    offices: /([0-9,]+\+) offices/g,
  };
  for (const { path, text } of pages)
    for (const [label, pattern] of Object.entries(kinds))
      for (const [, value] of text.matchAll(pattern)) expect(value, path).toBe(own.get(label));
});

it('names no price and no limit of insurance in public that the office has not entered', () => {
  expect(prices.ranges).toEqual([]);
  for (const { limit } of insurance.coverages as { limit?: string }[]) expect(limit).toBeUndefined();
  for (const { path, text } of publicPages) expect(text, path).not.toMatch(/\$ ?[0-9]|[0-9] million/);
});

it('has none of the sentences that were corrected', () => {
  const old = [
    'time="18:00"',
    'time="00:30"',
    'BSIS certified',
    'lose cable by the reel',
    'server halls',
    'data halls',
    'glass and car plants',
    'Columbus is building chip plants',
    'cause more injuries than thieves',
    'report ice by photograph',
    'than live nearby, they come from',
    'West Wendover',
    'industrial parks anywhere',
    'Dry washes can carry',
    'home communities whose owners',
    'Carnival routes',
    'one long line of building sites',
    'shoot for it again',
    'paper map',
    'the first Saturday in May',
    'about towns between them',
    'electric truck works',
    'www.pacourts.us',
    "No state license exists'",
    'where we are sure',
    '2-4 hours',
    '24-48 hours',
    'name you on a certificate',
    'certificates naming you',
    'What moves the price',
    'what moves the price',
    'have it at hand',
    'Answer this mail',
    'the office is notified',
    'gives orders on site',
    'Last valid day (empty',
    'has expired on',
    '16 CFR 465',
    'email is given up',
    'cannot become',
    'goes to the top of the list',
    'what we aim for',
    'Ask us for the number',
    'clients served',
    'Car plants',
    'rickhouses',
    'man camps',
    'without obligation',
    'leave this mail alone',
    'by daylight',
    'what you have done so far',
    'You as additional insured',
    'A figure for your site',
    'On site in {{company.promise_arrival}} is what we promise',
    'The rota',
  ];
  const found = shown.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8');
    return old.filter((words) => text.includes(words)).map((words) => `${file}: ${words}`);
  });
  expect(found).toEqual([]);
});
