// @vitest-environment happy-dom
// Which keys are the dashboard's, and which are left to typing, to the browser and to controls.
import { expect, it } from 'vitest';
import { commandOf } from './shortcuts';

document.body.innerHTML =
  '<label class="row-select"><input type="checkbox"></label><a class="row-link" href="#">row</a><input class="text"><textarea></textarea><form class="panel-form"><textarea></textarea></form><dialog><button>Close</button></dialog><main></main>';

function press(key: string, on = 'main', more: Partial<KeyboardEvent> = {}) {
  const target = document.querySelector(on);
  return commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, target, ...more });
}

it.each([
  ['j', 'next'],
  ['k', 'previous'],
  ['a', 'accept'],
  ['A', 'accept'],
  ['r', 'reject'],
  ['c', 'complete'],
  ['m', 'take'],
  ['z', 'undo'],
  ['x', 'select'],
  ['e', 'reply'],
  ['l', 'call'],
  ['n', 'note'],
  ['p', 'phone'],
  ['y', 'release'],
  ['d', 'discard'],
  ['/', 'search'],
  ['?', 'help'],
  ['Escape', 'close'],
])('%s means %s', (key, command) => {
  expect(press(key)).toBe(command);
});

it('takes keys after a click on the checkbox of a row', () => {
  expect(press('a', '.row-select input')).toBe('accept');
  expect(press('ArrowDown', '.row-select input')).toBe('next');
  expect(press(' ', '.row-select input')).toBeUndefined();
});

it.each(['.text', 'textarea', 'dialog button'])('leaves typing in %s alone', (on) => {
  expect(press('a', on)).toBeUndefined();
});

it('closes the form of a request by Escape while typing in it, and lets go of other controls', () => {
  expect(press('Escape', '.panel-form textarea')).toBe('close');
  expect(press('e', '.panel-form textarea')).toBeUndefined();
  expect(press('Escape', '.text')).toBe('letGo');
  expect(press('Escape', 'dialog button')).toBeUndefined();
});

it.each(['ctrlKey', 'metaKey', 'altKey'] as const)('leaves keys with %s to the browser', (held) => {
  expect(press('r', 'main', { [held]: true })).toBeUndefined();
});

it('moves by arrows from a row only, so that they scroll elsewhere', () => {
  expect(press('ArrowDown', '.row-link')).toBe('next');
  expect(press('ArrowDown')).toBeUndefined();
});

it('moves while a key is held, but acts only once', () => {
  expect(press('j', 'main', { repeat: true })).toBe('next');
  expect(press('r', 'main', { repeat: true })).toBeUndefined();
});
