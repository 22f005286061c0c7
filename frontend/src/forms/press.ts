// Delays layout changes while a pointer is pressed: a message that appears between press and
// release would move what is being pressed, and the click would be lost.

/** Events after which nothing is pressed. */
const releases = ['pointerup', 'pointercancel', 'keydown', 'change'];

let pressed = false;
let waiting: (() => void)[] = [];

/** Runs `action` as soon as no pointer is pressed and the click, if any, was dispatched. */
export function afterPress(action: () => void) {
  waiting.push(action);
  if (!pressed) release();
}

function release(event?: Event) {
  // The list of a select swallows `pointerup` but ends with `change`; a text sends it when it is
  // left.
  if (event?.type === 'change' && (event.target as Element).localName !== 'select') return;
  pressed = false;
  // A touch sends `pointerup`, then the focus change and the click, all in one task.
  setTimeout(() => {
    if (pressed) return;
    const actions = waiting;
    waiting = [];
    for (const action of actions) action();
  });
}

/** Starts to watch the pointer; returns a function that stops. */
export function watchPresses(): () => void {
  const press = () => {
    pressed = true;
  };
  addEventListener('pointerdown', press, true);
  for (const type of releases) addEventListener(type, release, true);
  return () => {
    removeEventListener('pointerdown', press, true);
    for (const type of releases) removeEventListener(type, release, true);
  };
}
