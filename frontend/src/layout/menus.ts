// Manners of the header's menus that <details> alone does not have: Escape closes and gives the focus back,
// and a menu closes when the visitor clicks, or moves the focus, elsewhere.

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('.site-header details[open]')];
}

/** Closes every menu of the header, as after following a link. */
export function closeMenus() {
  for (const menu of openMenus()) menu.open = false;
}

/** Starts minding the menus. */
export function mindMenus() {
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
