// Company data for development, where no server fills it in: the sample values of config.toml.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const promises = JSON.parse(readFileSync(new URL('../../seeds/site/promises.json', import.meta.url), 'utf8'));

const fields: Record<string, string> = {
  name: 'Guardpost Security',
  legal_name: 'Guardpost Security Services LLC',
  phone: '(713) 555-0142',
  phone_href: 'tel:+17135550142',
  email: 'office@guardpost.example',
  media_email: 'media@guardpost.example',
  street: '1200 Enclave Parkway, Suite 100',
  city: 'Houston',
  region: 'TX',
  postal_code: '77077',
  address: '1200 Enclave Parkway, Suite 100, Houston, TX 77077',
  hours: 'Open 24 hours a day, 7 days a week',
  call_soon: 'We will call you within 30 minutes. If you cannot wait, call us now:',
  base_url: 'http://127.0.0.1:8080',
  year: '2026',
  ...Object.fromEntries(Object.entries(promises).map(([key, value]) => [`promise_${key}`, `${value}`])),
};

export const sampleCompany: Plugin = {
  name: 'sample-company',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replace('{{company.json}}', () => JSON.stringify({ ...fields, licenses: {}, samples: true }))
      .replace(/\{\{company\.([a-z_]+)\}\}/g, (_, key) => fields[key] ?? ''),
};
