// The markup of long texts, as it is rendered.
import { renderToString } from 'preact-render-to-string';
import { expect, it, vi } from 'vitest';
import { marked } from './marked';

vi.mock('../company', () => ({ company: { phone: '(713) 555-0142', phone_href: 'tel:+17135550142' } }));

const html = (text: string) => renderToString(<p>{marked(text)}</p>).replace(/^<p>|<\/p>$/g, '');

it.each([
  ['Plain & <b>.', 'Plain &amp; &lt;b>.'],
  ['A **bold** word', 'A <strong>bold</strong> word'],
  ['One\ntwo', 'One<br/>two'],
  ['See [the law](https://a.example/b?c=1&d).', 'See <a href="https://a.example/b?c=1&amp;d">the law</a>.'],
  ['[Call](tel:+17135550123)', '<a href="tel:+17135550123">Call</a>'],
  ['Call (713) 555-0142.', 'Call <a href="tel:+17135550142">(713) 555-0142</a>.'],
  ['[Write](mailto:{{company.email}})', '<a href="mailto:{{company.email}}">Write</a>'],
  ['**[Both](https://a.example)**', '<strong><a href="https://a.example">Both</a></strong>'],
  ['[x](javascript:alert)', '[x](javascript:alert)'],
  ['[x](http://a.example)', '[x](http://a.example)'],
  ['[x](https://a.example" onclick="x)', '[x](https://a.example&quot; onclick=&quot;x)'],
  ['** not bold', '** not bold'],
])('%s', (text, expected) => {
  expect(html(text)).toBe(expected);
});
