// @vitest-environment happy-dom
// The prerendered documents: what they hold, and that they hang together. Run after `npm run
// build`.

import { existsSync } from 'node:fs';
import states from '@seeds/site/states.json';
import { describe, expect, it } from 'vitest';
import { count, dist, document, html, parsed, type Row, rows, site, values } from './prerendered';

describe('every document', () => {
  it('shows no scene and no face twice', () => {
    const bad = site.filter((row) => {
      const shown = values(row, 'data-scene');
      return new Set(shown).size !== shown.length;
    });
    expect(bad.map(({ path }) => path)).toEqual([]);
    const faces = [...document('/').querySelectorAll('.portrait svg')].map((face) => face.innerHTML);
    expect(new Set(faces).size).toBe(6);
  });

  it('has one main heading, a skip link to its main part, and no id twice', () => {
    const bad = site.filter((row) => {
      const ids = values(row, 'id');
      const headings = html(row).match(/<h1[\s>]/g)?.length;
      return headings !== 1 || !html(row).includes('<main id="main"') || new Set(ids).size !== ids.length;
    });
    expect(bad.map(({ path }) => path)).toEqual([]);
  });

  it('has an outline that can be skimmed: no level left out, and few headings of the second', () => {
    const bad = site.flatMap((row) => {
      const levels = [...html(row).matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level));
      const skips = levels.some((level, at) => level > (levels[at - 1] ?? 0) + 1);
      const sections = levels.filter((level) => level === 2).length;
      const few = row.key === 'home' ? 12 : 10;
      return skips || sections > few ? [`${row.path}: ${levels.join(' ')}`] : [];
    });
    expect(bad).toEqual([]);
  });

  it('names each state once on Home for a screen reader and the keyboard', () => {
    const home = document('/');
    for (const hidden of home.querySelectorAll('[aria-hidden="true"]')) {
      expect(hidden.querySelectorAll('a:not([tabindex="-1"], [tabIndex="-1"])').length).toBe(0);
      hidden.remove();
    }
    expect(count(home, 'main a[href^="/states/"]')).toBe(50);
  });

  it('leads nowhere that does not exist', () => {
    const known = new Set(rows.map(({ path }) => path));
    const links = site.flatMap((row) => values(row, 'href')).filter((href) => /^\/(?!\/)/.test(href));
    const lost = [...new Set(links)].filter((href) => {
      const path = href.replace(/[?#].*/, '');
      return !known.has(path) && !existsSync(dist + path.slice(1)) && !path.startsWith('/api/');
    });
    expect(lost).toEqual([]);
  });

  it('points its labels and descriptions at something', () => {
    const page = document('/quote');
    const pointers = ['for', 'aria-describedby', 'aria-labelledby'].flatMap((name) =>
      [...page.querySelectorAll(`[${name}]`)].flatMap((element) =>
        (element.getAttribute(name) ?? '').split(' '),
      ),
    );
    expect(pointers.filter((id) => !page.getElementById(id))).toEqual([]);
  });
});

it.each(['case', 'offer'])('asks no one for a quote in the header of the page "%s", but to call', (key) => {
  const page = parsed(rows.find((row) => row.key === key) as Row);
  expect(count(page, '.site-header a[href="/quote"], .bottom-bar')).toBe(0);
  expect(count(page, '.main-bar > a.button[href="{{company.phone_href}}"]')).toBe(1);
  expect(count(document('/'), '.site-header a[href="/quote"]')).toBe(2);
  expect(count(document('/'), '.bottom-bar a')).toBe(2);
});

it('shows the sections of Home with their exact counts', () => {
  const home = document('/');
  const counts = {
    services: count(home, '.service'),
    features: count(home, '.service .checklist li'),
    clients: count(home, '.client-list li'),
    testimonials: count(home, '.testimonial'),
    ratings: count(home, '.rating[aria-label="Rated 5 out of 5"]'),
    questions: count(home, '#faq details[name="faq"]'),
    states: count(home, '.states a[href^="/states/"]'),
    releases: count(home, '.press details'),
  };
  expect(counts).toEqual({
    services: 7,
    features: 28,
    clients: 16,
    testimonials: 6,
    ratings: 6,
    questions: 10,
    states: 50,
    releases: 4,
  });
});

describe.each(states.map((state) => [state.name, state] as const))('the page of %s', (name, state) => {
  const page = document(`/states/${state.slug}`);
  const section = (id: string) => page.getElementById(id)?.textContent ?? '';
  const links = (start: string) =>
    [...page.querySelectorAll(`main a[href^="${start}"]`)].map((link) => link.textContent);

  it('says who orders a fire watch, after how many hours and by which code, and what is logged', () => {
    const fire = section('fire-watch');
    expect(fire).toContain(`When you need a fire watch in ${name}`);
    expect(fire).toMatch(/fire code official|fire marshal/);
    expect(fire).toMatch(/order/);
    expect(fire).toMatch(/4 hours/);
    expect(fire).toMatch(/for more than 10|10 hours/);
    expect(fire).toContain(`Code in force: ${state.fire.code}.`);
    expect(fire).toMatch(/logged.*name, the start and end of every round.*hazard.*fire department/s);
  });

  it('says who licenses guards, with a link if there is a register, and what armed work needs', () => {
    const license = section('license');
    for (const text of [state.licensing.authority, state.licensing.text, state.licensing.armed_text])
      expect(license).toContain(text);
    if (state.licensing.lookup) expect(links(state.licensing.lookup)).toHaveLength(1);
    expect(section('why')).toContain(
      state.licensing.statewide ? `${name}-licensed officers` : 'officers who meet your city’s rules',
    );
  });

  it('says how soon a guard is there, and names its cities and the nearest states', () => {
    expect(section('fire-watch')).toMatch(/{{company.promise_arrival}} after your call.*drive time/s);
    expect(page.body.textContent).toContain('in {{company.promise_start}} for scheduled work');
    for (const city of state.cities) expect(page.body.textContent).toContain(city);
    const near = links('/states/');
    expect(near.length).toBeGreaterThan(0);
    for (const other of near) expect(section('why')).toContain(other);
  });
});

it('sends each service card where the specification says', () => {
  const links = [...document('/').querySelectorAll('.service a')].map((link) => link.getAttribute('href'));
  const guards = '/security-services';
  expect(links).toEqual(['/fire-watch', guards, guards, '/surveillance', guards, guards, '/concierge']);
});

it('lists the five services in their menu, and the others and the company in menus of their own', () => {
  const [services, others, company] = [...document('/').querySelectorAll('.dropdown')].map((menu) =>
    [...menu.querySelectorAll('a')].map((link) => link.textContent),
  );
  expect(company).toEqual(['About', 'Locations', 'Insurance', 'Licensing', 'Careers']);
  expect(others).toEqual([
    'Event Security',
    'Construction Sites',
    'Apartments and HOAs',
    'Retail and Warehouses',
    'Emergency Response',
  ]);
  expect(services).toEqual([
    'Fire Watch Guards',
    'Security Guard Services',
    'Mobile Patrol',
    'Surveillance Services',
    'Concierge Services',
  ]);
});

it.each([
  '/event-security',
  '/construction-security',
  '/community-security',
  '/retail-security',
  '/emergency-response',
])('links %s from the guards’ page, the menu and the footer, and offers a sample to download', (path) => {
  const guards = document('/security-services');
  for (const place of ['main', '.menu-panel', '.site-footer'])
    expect(count(guards, `${place} a[href="${path}"]`), place).toBe(1);
  const page = document(path);
  expect(count(page, 'main a[download]')).toBe(1);
  for (const words of ['What officers do', 'What officers may not do', 'What we need from you'])
    expect(page.body.textContent).toContain(words);
});
