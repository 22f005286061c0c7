// A printed offer has all of its conditions, also in browsers whose styles cannot open them.
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('article details')) details.open = true;
});

// The links to a decline and to a question open their forms.
for (const link of document.querySelectorAll('.answers [href^="#"]:not([href="#name"])')) {
  link.addEventListener('click', () => {
    document.querySelector(link.hash).open = true;
  });
}

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
