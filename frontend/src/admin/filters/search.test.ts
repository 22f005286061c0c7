// @vitest-environment happy-dom
// The search box of the inbox: a search begins a moment after the last keystroke, and joins what
// was chosen in between.
import { act } from 'preact/test-utils';
import { createElement, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useSearch } from 'wouter';
import { parseDeskUrl } from '../requests/desk-url';
import { type Desk, DeskProvider } from '../state/use-desk';
import { Search } from './toolbar';

function Box() {
  const desk = { url: parseDeskUrl(useSearch()), searchBox: useRef(null), letGo } as unknown as Desk;
  return createElement(DeskProvider, { value: desk }, createElement(Search, null));
}

let close = () => {};
const letGo = vi.fn();

async function open(address: string) {
  history.replaceState(null, '', address);
  document.body.innerHTML = '<div id="app"></div>';
  const root = createRoot(document.getElementById('app') as HTMLElement);
  await act(() => root.render(createElement(Box, null)));
  close = () => root.unmount();
}

async function type(text: string) {
  const box = document.querySelector('input') as HTMLInputElement;
  box.value = text;
  await act(() => void box.dispatchEvent(new Event('input', { bubbles: true })));
}

const choose = (address: string) => act(() => history.pushState(null, '', address));
const wait = () => act(() => void vi.advanceTimersByTime(300));

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  close();
  vi.useRealTimers();
});

it('begins after a pause, and closes the request that was open', async () => {
  await open('/admin?request=q1');
  await type('katy');
  expect(location.search).toBe('?request=q1');
  await wait();
  expect(location.search).toBe('?q=katy');
});

it('keeps a filter that is chosen while it waits', async () => {
  await open('/admin');
  await type('katy');
  await choose('/admin?status=pending');
  await wait();
  expect(location.search).toBe('?status=pending&q=katy');
});

it('keeps a request that is opened while it waits', async () => {
  await open('/admin');
  await type('katy');
  await choose('/admin?request=q1');
  await wait();
  expect(location.search).toBe('?q=katy&request=q1');
});

it('leads to what was found by Enter', async () => {
  await open('/admin');
  await type('katy');
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true });
  await act(() => void document.querySelector('input')?.dispatchEvent(enter));
  expect(location.search).toBe('?q=katy');
  expect(letGo).toHaveBeenCalledOnce();
});
