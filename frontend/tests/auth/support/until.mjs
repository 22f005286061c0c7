// Waits for something that happens in another process: asks again and again, and gives up after a
// bound.
import { setTimeout as pause } from 'node:timers/promises';

export async function until(what, ask, milliseconds = 15_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await pause(15);
  }
}
