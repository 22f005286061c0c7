// @vitest-environment happy-dom
// Merging two requests of one person: which number stays is said, or asked where it is not known.
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import type { RelatedRequest, RequestItem } from '../../api/inbox';
import { ActionsProvider, type Desk, DeskProvider } from '../state/use-desk';
import { Related } from './related';

const merge = vi.fn();
const desk = { now: Date.now(), hrefOf: (id: string) => id, actions: { merge } } as unknown as Desk;
const opened = { id: 'a', reference: 'GP-2K7Q', status: 'pending', held: false } as RequestItem;
const buttons = () => [...document.querySelectorAll<HTMLElement>('button')];
const names = () => buttons().map(({ textContent }) => textContent);
const press = (at: number) => act(() => buttons()[at]?.click());

async function open(stays: string | null) {
  document.body.innerHTML = '<div id="app"></div>';
  const other = { id: 'b', kind: 'quote', reference: 'GP-3M4P', status: 'pending', held: false, stays };
  const related = [{ ...other, created_at: '2026-11-21T03:04:05.678Z' }] as RelatedRequest[];
  const of = createElement(Related, { opened, related });
  const acting = createElement(ActionsProvider, { value: desk.actions }, of);
  const whole = createElement(DeskProvider, { value: desk }, acting);
  await act(() => createRoot(document.getElementById('app') as HTMLElement).render(whole));
}

it('says which number stays, and merges by one press', async () => {
  await open('GP-2K7Q');
  expect(names()).toEqual(['Merge with GP-3M4P into GP-2K7Q']);
  await press(0);
  expect(merge).toHaveBeenLastCalledWith(opened, 'b');
});

it('asks once where the customer has emails of both', async () => {
  await open(null);
  await press(0);
  expect(document.activeElement?.textContent).toContain('Which number stays?');
  expect(names()).toEqual(['Keep GP-2K7Q', 'Keep GP-3M4P', 'Cancel']);
  await press(2);
  expect(document.activeElement?.textContent).toBe('Merge with GP-3M4P');
  await press(0);
  await press(1);
  expect(merge).toHaveBeenLastCalledWith(opened, 'b', 'b');
});
