// The office's ten commonest changes, from the open dashboard to the public page, in the time of a
// person's hands: the keystroke-level model (Card, Moran, Newell, 1980) counts presses and keys.
import { resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { openEditor } from './site-helpers';

const photograph = resolve(import.meta.dirname, '../../../docs/screenshots/home.jpg');

/** Seconds of a key, by an average typist who is no secretary. */
const keySeconds = 0.28;
/** Seconds to decide, to move the hand and the pointer, and to press. */
const pressSeconds = 1.35 + 0.4 + 1.1 + 0.2;

/** Does what a person's hands do, and adds up how long they take. */
class Hands {
  seconds = 0;

  constructor(readonly page: Page) {}

  async press(target: Locator) {
    await target.click();
    this.seconds += pressSeconds;
  }

  /** Types over what the field holds. */
  async type(label: string, text: string) {
    await this.press(this.field(label));
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
    this.seconds += (text.length + 2) * keySeconds;
  }

  /** Pastes a text that was written elsewhere: selects the field, copies there, pastes here. */
  async paste(label: string, text: string) {
    await this.press(this.field(label));
    await this.page.keyboard.insertText(text);
    this.seconds += pressSeconds + 6 * keySeconds;
  }

  async choose(label: string, option: string) {
    await this.field(label).selectOption({ label: option });
    this.seconds += pressSeconds * 2;
  }

  /** Presses the field, then a file in the system's window, then "Open". */
  async upload(label: string, path: string) {
    await this.field(label).setInputFiles(path);
    this.seconds += pressSeconds * 3;
    await expect(this.page.locator('.site-picture')).toBeVisible();
  }

  section(name: string) {
    return this.press(this.page.getByRole('link', { name, exact: true }));
  }

  open(entry: string) {
    return this.press(this.page.locator('summary').filter({ hasText: entry }).first());
  }

  add(one: string) {
    return this.press(this.page.getByRole('button', { name: `Add ${one}`, exact: true }));
  }

  async publish() {
    await this.press(this.page.getByRole('button', { name: 'Publish', exact: true }));
    await this.press(this.page.getByRole('button', { name: 'Publish now' }));
    await expect(this.page.getByText('Published. Every page shows it now.')).toBeVisible({ timeout: 20_000 });
  }

  private field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true }).locator('visible=true').last();
  }
}

type Change = {
  name: string;
  section: string;
  key: string;
  /** Where a visitor then sees `text`. */
  path: string;
  text: string;
  make(hands: Hands): Promise<void>;
};

const changes: Change[] = [
  {
    name: 'another phone number',
    section: 'Company facts',
    key: 'facts',
    path: '/contact',
    text: '(713) 555-0142',
    make: (hands) => hands.type('Phone', '(713) 555-0142'),
  },
  {
    name: 'hours on a holiday',
    section: 'Company facts',
    key: 'facts',
    path: '/contact',
    text: 'Office closed on Thanksgiving Day',
    make: (hands) => hands.type('Hours', 'Office closed on Thanksgiving Day; guards 24/7'),
  },
  {
    name: 'a new license',
    section: 'Licenses',
    key: 'licenses',
    path: '/licensing',
    text: 'OH-204417',
    make: async (hands) => {
      await hands.add('license');
      await hands.choose('State', 'Ohio');
      await hands.type('Number', 'OH-204417');
    },
  },
  {
    name: 'a review of a client',
    section: 'Testimonials',
    key: 'testimonials',
    path: '/',
    text: 'They arrived within two hours',
    make: async (hands) => {
      await hands.add('testimonial');
      await hands.type('Name', 'Ruth Calder');
      await hands.type('Title', 'Facility Manager');
      await hands.type('Company', 'Harbor Cold Storage');
      await hands.paste('Quote', 'They arrived within two hours and wrote down every round.');
    },
  },
  {
    name: 'a press release',
    section: 'Press releases',
    key: 'press',
    path: '/',
    text: 'A second office opens in Dallas',
    make: async (hands) => {
      await hands.add('release');
      await hands.type('Date', '11242026');
      await hands.paste('Title', 'A second office opens in Dallas');
      await hands.paste('Summary', 'Dispatchers in Dallas now answer calls from North Texas.');
      await hands.paste('paragraph 1', 'The office on Main Street has a dispatcher at all hours.');
    },
  },
  {
    name: 'another answer to a question',
    section: 'Questions',
    key: 'faqs',
    path: '/',
    text: 'Yes. Ask us for a certificate.',
    make: async (hands) => {
      await hands.open('Are you licensed and insured?');
      await hands.type('Answer', 'Yes. Ask us for a certificate.');
    },
  },
  {
    name: 'a price range',
    section: 'Prices',
    key: 'prices',
    path: '/prices',
    text: '$32 to $41 an hour',
    make: async (hands) => {
      await hands.add('range');
      await hands.type('Service', 'Fire watch');
      await hands.type('Range, as in $30 to $45 an hour', '$32 to $41 an hour');
      await hands.type('What it assumes', 'One officer, seven nights');
    },
  },
  {
    name: 'a photograph in place of a drawing',
    section: 'Pictures',
    key: 'pictures',
    path: '/fire-watch',
    text: 'A guard at the front gate',
    make: async (hands) => {
      await hands.add('picture');
      await hands.choose('In place of', 'Fire watch');
      await hands.upload('Picture', photograph);
      await hands.type('What it shows, for people who cannot see it', 'A guard at the front gate');
    },
  },
  {
    name: 'a claim that is true of the company',
    section: 'Claims to confirm',
    key: 'claims',
    path: '/',
    text: '',
    make: async (hands) => {
      await hands.press(hands.page.locator('.site-list summary').first());
      await hands.press(hands.page.getByLabel('This is true of our company').first());
    },
  },
  {
    name: 'a client that is named',
    section: 'Clients',
    key: 'clients',
    path: '/',
    text: 'Tulsa Rail',
    make: async (hands) => {
      await hands.add('client');
      await hands.type('Name', 'Tulsa Rail');
      await hands.type('Kind', 'Rail yard');
      await hands.type('City', 'Tulsa');
      await hands.choose('State', 'Oklahoma');
    },
  },
];

test('each of the ten commonest changes takes less than a minute', async ({ page }) => {
  test.setTimeout(300_000);
  const api = await openEditor(page);
  const { sections } = await api.content();
  for (const { name, section, path, text, make } of changes) {
    await page.goto('/admin/site');
    const hands = new Hands(page);
    await hands.section(section);
    await make(hands);
    await hands.publish();
    console.log(`${name}: ${hands.seconds.toFixed(0)} s`);
    expect.soft(hands.seconds, name).toBeLessThan(60);
    if (text) expect.soft(await (await page.request.get(path)).text(), name).toContain(text);
  }
  const changed = sections.filter(({ key }) => changes.some((one) => one.key === key));
  await api.publish(Object.fromEntries(changed.map(({ key, value }) => [key, value])));
});
