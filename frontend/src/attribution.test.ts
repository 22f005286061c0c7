// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { countClicks } from './attribution';

afterEach(() => vi.unstubAllGlobals());

it('reports a form once when a visitor begins to fill it in, and each click on a phone link', async () => {
  const sent: string[] = [];
  vi.stubGlobal('navigator', {
    sendBeacon: (path: string) => sent.push(path) > 0,
  });
  history.replaceState(null, '', '/quote');
  document.body.innerHTML = `
    <form action="/quote"><input name="a"><input name="b"></form>
    <form><input name="c"></form>
    <a href="tel:+1">Call</a>`;
  countClicks();
  const type = (name: string) =>
    document.querySelector(`[name=${name}]`)?.dispatchEvent(new Event('input', { bubbles: true }));
  for (const name of ['c', 'a', 'b', 'a']) type(name);
  document.querySelector('a')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(sent).toEqual(['/api/begun', '/api/taps']);
});

it('reports nothing for visitors who ask not to be tracked', () => {
  const sendBeacon = vi.fn();
  vi.stubGlobal('navigator', { sendBeacon, globalPrivacyControl: true });
  history.replaceState(null, '', '/quote');
  document.body.innerHTML = '<form action="/quote"><input name="a"></form>';
  countClicks();
  document.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }));
  expect(sendBeacon).not.toHaveBeenCalled();
});
