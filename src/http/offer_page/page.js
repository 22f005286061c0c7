// Tells the office that a person reads the offer: at the first press or key, which the programs
// that open the links of emails do not make.
const types = ['pointerdown', 'keydown'];
const opened = (event) => {
  if (!event.isTrusted) return;
  for (const type of types) removeEventListener(type, opened);
  const body = new URLSearchParams({ answer: 'opened' });
  fetch(location.pathname, { method: 'POST', body, keepalive: true }).catch(() => {});
};
for (const type of types) addEventListener(type, opened, { passive: true });
