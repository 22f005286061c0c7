// @vitest-environment happy-dom
// A picture is put into the entry for which it was chosen.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
} from '../../testing/admin-page-fixture';

type Client = { name: string; logo: string | null };

const client = { sample: false, category: 'Property', location: 'Katy', state: 'texas', logo: null };

beforeEach(() => {
  startServer();
  const value = [
    { ...client, name: 'First' },
    { ...client, name: 'Second' },
  ];
  const section = { key: 'clients', changed: false, samples: 0, schedule: null, draft: null, value };
  answers['GET /api/admin/site'] = () => [200, { version: 0, to_fill: [], sections: [section] }];
  answers['GET /api/admin/site/history'] = () => [200, { versions: [] }];
  vi.stubGlobal('createImageBitmap', async () => ({ width: 1280, height: 800 }));
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/jpeg;base64,AAAA');
  signedIn();
});
afterEach(() => {
  vi.restoreAllMocks();
  stopServer();
});

it('stays with its entry when the list is put into another order while it is sent', async () => {
  let send = () => {};
  let drafts: Client[][] = [];
  answers['POST /api/admin/site/pictures'] = async () => {
    await new Promise<void>((done) => {
      send = done;
    });
    return [200, { picture: 'logo-of-first' }];
  };
  answers['PUT /api/admin/site/drafts/clients'] = (body) => {
    drafts = [...drafts, (body as unknown as { value: Client[] }).value];
    return [200, { number: drafts.length }];
  };
  await open('/admin/site?section=clients&place=/0/logo');
  await says('Logo (optional)');
  const before = send;
  const file = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!file) throw new Error('there is no field of a file');
  Object.defineProperty(file, 'files', { value: [new File(['x'], 'logo.png', { type: 'image/png' })] });
  file.dispatchEvent(new Event('change', { bubbles: true }));
  await vi.waitFor(() => expect(send).not.toBe(before));
  document.querySelector<HTMLElement>('[aria-label="Down First"]')?.click();
  button('Save draft').click();
  send();
  await vi.waitFor(() => expect(drafts).toHaveLength(1));
  expect(drafts[0]?.map(({ name, logo }) => [name, logo])).toEqual([
    ['Second', null],
    ['First', 'logo-of-first'],
  ]);
});
