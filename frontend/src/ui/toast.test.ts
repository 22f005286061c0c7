// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { Toaster, toast } from './toast';

it('gives the focus back to where it was when the toast that has it goes', async () => {
  document.body.innerHTML = '<button id="row">Accept</button><div id="app"></div>';
  const root = createRoot(document.getElementById('app') as HTMLElement);
  await act(() => root.render(createElement(Toaster, null)));
  const row = document.getElementById('row') as HTMLElement;
  row.focus();
  await act(() => toast({ title: 'Accepted' }));
  const close = document.querySelector<HTMLElement>('.toast-close');
  close?.focus();
  expect(document.activeElement).toBe(close);
  await act(() => close?.click());
  expect(document.querySelector('.toast')).toBeNull();
  expect(document.activeElement).toBe(row);
});
