// Sample company facts, for development, previews and tests only. The real ones come from config.toml when the server starts.

/** @type {Record<string, string | Record<string, string>>} */
export const facts = {
  name: 'Guardpost Security',
  legal_name: 'Guardpost Security LLC',
  phone: '(713) 555-0142',
  phone_href: 'tel:+17135550142',
  email: 'office@guardpost.example',
  media_email: 'media@guardpost.example',
  street: '14500 Briar Forest Drive, Suite 210',
  city: 'Houston',
  region: 'TX',
  postal_code: '77077',
  address: '14500 Briar Forest Drive, Suite 210, Houston, TX 77077',
  hours: 'Guards on post 24/7. Office: Monday to Friday, 8 am to 6 pm Central.',
  base_url: 'http://127.0.0.1:8080',
  year: '2026',
  licenses: { TX: 'B00000000' },
};

/** Fills `{{company.KEY}}` in a document with the sample facts.
 * @param {string} html @returns {string} */
export function fillFacts(html) {
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  return html
    .replaceAll('{{company.json}}', json)
    .replace(/\{\{company\.([a-z_]+)(?:\.([A-Z]{2}))?\}\}/g, (_, key, state) => {
      const fact = facts[key];
      const text = typeof fact === 'object' ? (fact[state] ?? '') : (fact ?? '');
      return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    });
}
