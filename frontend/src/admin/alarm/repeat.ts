// When the tone of an emergency is heard again: every ten seconds for a minute, then each minute.

const often = 10_000;
const minute = 60_000;

/** Calls `ring` now and again and again until the returned function is called. */
export function repeat(ring: () => void): () => void {
  let passed = 0;
  let timer: ReturnType<typeof setTimeout>;
  const next = () => {
    ring();
    const pause = passed < minute ? often : minute;
    passed += pause;
    timer = setTimeout(next, pause);
  };
  next();
  return () => clearTimeout(timer);
}
