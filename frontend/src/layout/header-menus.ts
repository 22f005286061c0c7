// Manners of the header that its HTML alone does not have: Escape closes a menu and gives the focus back, a menu closes
// when the visitor clicks or moves the focus elsewhere, and the current page's link is marked after a navigation.

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('.site-header details[open]')];
}

/** Closes every menu of the header, as after following a link. */
export function closeMenus() {
  for (const menu of openMenus()) menu.open = false;
}

/** Marks the links of the header that lead to the page shown now. */
export function markCurrentPage(path: string) {
  for (const link of document.querySelectorAll('.site-header a')) {
    if (link.getAttribute('href') === path) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** Starts minding the menus. */
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
