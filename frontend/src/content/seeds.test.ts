// Checks seeds/site: list lengths, valid links, and the sample flag.
import { readFileSync } from 'node:fs';
import quoteForm from '@seeds/forms/quote.json';
import clients from '@seeds/site/clients.json';
import company from '@seeds/site/company.json';
import faqs from '@seeds/site/faqs.json';
import pages from '@seeds/site/pages.json';
import press from '@seeds/site/press.json';
import promises from '@seeds/site/promises.json';
import services from '@seeds/site/services.json';
import testimonials from '@seeds/site/testimonials.json';
import { describe, expect, it } from 'vitest';
import { scenes } from '../scenes/all';
import { routeManifest } from './route-manifest';

const paths = pages.map(({ path }) => path);

describe('the lists', () => {
  it('have the lengths the specification asks for', () => {
    expect(services.cards).toHaveLength(7);
    for (const { features } of services.cards) expect(features).toHaveLength(4);
    expect(services.pages).toHaveLength(10);
    expect(faqs).toHaveLength(10);
    expect(clients).toHaveLength(16);
    expect(testimonials).toHaveLength(6);
    expect(press).toHaveLength(4);
    expect(company.stats).toHaveLength(6);
    expect(company.credentials).toHaveLength(6);
  });

  it('have a rating of 5 in every testimonial and a sample flag', () => {
    expect(testimonials.every(({ rating }) => rating === 5)).toBe(true);
    for (const { sample } of [...clients, ...testimonials, ...press]) expect(typeof sample).toBe('boolean');
  });
});

describe('the services', () => {
  it('link each card as the specification maps it', () => {
    expect(Object.fromEntries(services.cards.map(({ key, link }) => [key, link]))).toEqual({
      'fire-watch': '/fire-watch',
      'security-guards': '/security-services',
      commercial: '/security-services',
      emergency: '/security-services',
      event: '/security-services',
      surveillance: '/surveillance',
      concierge: '/concierge',
    });
  });

  it('preselect an option that the quote form has', () => {
    const options = quoteForm.fields
      .find(({ field }) => field === 'serviceType')
      ?.options?.map(({ value }) => value);
    for (const { preselect } of services.pages) expect(options).toContain(preselect);
  });

  it('use the path of their page, existing scenes and existing related pages', () => {
    for (const { key, path, related } of services.pages) {
      expect(pages.find((page) => page.key === key)?.path).toBe(path);
      for (const other of related) expect(services.pages.map((page) => page.key)).toContain(other);
    }
    for (const { scene } of [...services.cards, ...services.pages])
      expect(Object.keys(scenes)).toContain(scene);
    for (const { link } of services.cards) expect(paths).toContain(link);
  });
});

describe('the samples to download', () => {
  const samples = `${import.meta.dirname}/../../public`;
  const named = services.pages.flatMap(({ sample_record: record }) =>
    'download' in record ? [record.download as string] : [],
  );

  it('exist and hold more than the page shows', () => {
    expect(named).toHaveLength(7);
    for (const path of named) expect(readFileSync(samples + path, 'utf8').length).toBeGreaterThan(500);
  });

  it('hold every line that the page shows of them, at its time', () => {
    for (const { sample_record: record } of services.pages) {
      const download = 'download' in record ? (record.download as string) : '';
      if (record.kind !== 'log' || !download) continue;
      const lines = readFileSync(samples + download, 'utf8').split('\n');
      for (const [time = '', place = '', ...rest] of record.rows) {
        const line = lines.find((one) => one.split(',')[1] === time) ?? '';
        const round = /^Round ([0-9]+): (.*)/.exec(place);
        const words = `${round ? round.slice(1).join(' ') : place} ${rest.join(' ')}`.toLowerCase();
        const found = line.toLowerCase();
        const missing = words
          .split(/[^a-z0-9:’.]+/)
          .map((word) => word.replace(/[:.]+$/, ''))
          .filter((word) => word.length > 3 && !found.includes(word));
        expect(missing, `${download} ${time}: ${line}`).toEqual([]);
      }
    }
  });

  it('of a fire watch keep the rounds that we promise where people sleep', () => {
    const [, ...rows] = readFileSync(`${samples}/samples/fire-watch-log.csv`, 'utf8').trim().split('\n');
    const minutes = rows.map((row) => {
      const [day, time] = row.split(',');
      return Date.parse(`${day}T${time}Z`) / 60_000;
    });
    const gaps = minutes.slice(1).map((minute, at) => minute - (minutes[at] ?? 0));
    expect(rows.length).toBeGreaterThan(40);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(Number.parseInt(promises.round_sleeping, 10));
  });
});

describe('the route manifest', () => {
  it('has for each page the key that the browser derives from its path', () => {
    expect(routeManifest).toEqual(pages.map(({ key, path }) => ({ key, path })));
  });

  it('has each key and each path once', () => {
    expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has a description for every public page that fits a search result', () => {
    for (const { key, description, title } of pages.filter(({ sitemap }) => sitemap)) {
      const words = (text: string) =>
        text.replace(/{{company.promise_([a-z_]+)}}/g, (_, name) => promises[name as keyof typeof promises]);
      expect(words(description).length, key).toBeGreaterThan(70);
      expect(words(description).length, key).toBeLessThan(180);
      expect(words(title).length, key).toBeLessThan(75);
    }
  });
});
