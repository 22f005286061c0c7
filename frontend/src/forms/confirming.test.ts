// @vitest-environment happy-dom
// What a form shows after it was sent: the confirmation, with and without its code; the next form;
// and the message whose answer was lost.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { company } from '../company';
import { setItem } from '../safe-storage';
import { toast } from '../ui/toast';
import { Confirmation } from './confirmation';
import { close, control, fire, hydrateQuote, open, settle, type } from './testing/form-fixture';

vi.mock('../ui/toast', { spy: true });

const receipt = { reference: 'GP-2K7Q', status_page: '/case/gp-2k7q-abc' };
const message = 'Two guards for a concert in Katy.';

const form = () => document.querySelector('form.form') as HTMLFormElement;
const banner = () => document.querySelector('.banner');

/** The idempotency keys of the requests; the server answers or its answer is lost. */
let keys: string[];
let answers: boolean;

beforeEach(() => {
  setItem('localStorage', 'sent.contact', '[]');
  keys = [];
  answers = true;
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['idempotency-key'] ?? '');
    if (!answers) throw new TypeError('network error');
    return new Response(JSON.stringify(receipt), { status: 201 });
  });
});

afterEach(() => {
  close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function submit() {
  await fire(form(), 'submit');
  await vi.waitFor(() => expect(form().textContent).not.toContain('Sending...'));
  await settle();
}

/** Fills in the form of a page and sends it. */
async function send(props?: Parameters<typeof open>[0]) {
  await open(props);
  for (const [name, text] of [
    ['firstName', 'Ana'],
    ['lastName', 'Lopez'],
    ['email', 'ana@mail.example'],
    ['phone', '7135550142'],
    ['details', message],
    ...(props ? [] : [['service', 'event'] as const]),
  ] as const)
    await type(name, text);
  await submit();
}

async function press(label: string) {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label);
  await fire(button as Element, button?.type === 'submit' ? 'submit' : 'click');
  await settle();
}

// The first test: the others load the code.
it('shows the reference when the code of the confirmation cannot be loaded', async () => {
  vi.spyOn(Confirmation, 'preload').mockRejectedValue(new TypeError('gone'));
  await send();
  expect(banner()?.textContent).toContain('Your reference: GP-2K7Q');
  expect([form().hidden, control('details').value]).toEqual([false, '']);
  await type('details', 'The next message.');
  expect(banner()).toBeNull();
});

it('confirms on the page that the form was sent from', async () => {
  await send({ action: '/careers', service: 'careers' });
  expect(document.querySelector('.banner form')?.getAttribute('action')).toBe('/careers');
  expect(location.pathname + location.search).toBe('/careers?sent=1&reference=gp-2k7q-abc');
});

it('promises a call within minutes, and nothing beside it, to a visitor who wants one', async () => {
  Object.assign(company, { call_soon: 'We will call you within 30 minutes.', phone: '713-555-0142' });
  vi.mocked(toast).mockClear();
  for (const wantsCall of [true, false]) {
    setItem('localStorage', 'sent.quote', '[]');
    await hydrateQuote('', () => {});
    for (const [name, text] of [
      ['firstName', 'Ana'],
      ['lastName', 'Lopez'],
      ['email', 'ana@mail.example'],
      ['phone', '7135550142'],
      ['serviceType', 'fire-watch'],
      ['location', '04101'],
      ['startDate', '2099-12-01'],
      ['duration', '1-week'],
    ] as const)
      await type(name, text);
    control('emergencyContact').checked = wantsCall;
    await submit();
  }
  const title = 'Quote Request Submitted';
  const within = "Thank you for your quote request. We'll respond within 24 hours with a customized";
  expect(vi.mocked(toast).mock.calls).toEqual([
    [{ title, detail: 'We will call you within 30 minutes. 713-555-0142' }],
    [{ title, detail: `${within} security solution.` }],
  ]);
});

it('gives the next form its own address and the focus, so that a reload does not confirm it', async () => {
  await send();
  await press('Send Another Message');
  expect(banner()).toBeNull();
  expect(location.pathname + location.search).toBe('/contact');
  expect(document.activeElement).toBe(control('firstName'));
});

it('sends a message whose answer was lost with the same key, and does not say that it is lost', async () => {
  answers = false;
  await send();
  expect(banner()?.textContent).toContain('Your message may not have reached us');
  await press('Bring Back My Message');
  expect(control('details').value).toBe(message);
  expect(document.activeElement).toBe(control('firstName'));
  answers = true;
  await submit();
  expect(keys[0]).toBe(keys[1]);
  await send();
  expect(keys[2]).not.toBe(keys[1]);
});

it('keeps the message when neither the server nor the code of the confirmation is there', async () => {
  vi.spyOn(Confirmation, 'preload').mockRejectedValue(new TypeError('gone'));
  answers = false;
  await send();
  expect([form().hidden, control('details').value]).toEqual([false, message]);
});
