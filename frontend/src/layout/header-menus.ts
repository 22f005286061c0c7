// Behavior of the header menus: Escape closes a menu and restores the focus, a click or focus
// outside closes it, and the link of the current page is marked after navigation.

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('.site-header details[open]')];
}

/** Closes all header menus. */
export function closeMenus() {
  for (const menu of openMenus()) menu.open = false;
}

/** Sets `aria-current` on the header links that lead to `path`. */
export function markCurrentPage(path: string) {
  for (const link of document.querySelectorAll('.site-header a'))
    link.ariaCurrent = link.getAttribute('href') === path ? 'page' : null;
}

/** Installs the listeners. */
export function initMenus() {
  document.addEventListener('keydown', (event) => {
    const inner = openMenus().at(-1);
    if (event.key !== 'Escape' || !inner) return;
    inner.open = false;
    inner.querySelector('summary')?.focus();
  });
  for (const moved of ['click', 'focusin']) {
    document.addEventListener(moved, ({ target }) => {
      for (const menu of openMenus()) if (target instanceof Node && !menu.contains(target)) menu.open = false;
    });
  }
}
