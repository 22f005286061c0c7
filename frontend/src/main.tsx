// Browser entry point: hydrates the prerendered page, or renders it if there is none (development).
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app';
import { countClicks, recordAttribution } from './attribution';
import { initMenus } from './layout/header-menus';
import { layOutWhenIdle } from './layout/idle-layout';
import { initNavigation } from './navigation';
import { hydrateRoute, loadRoute } from './routes';
import { hydration } from './static-island';
import './styles/index.css';

/** Evaluating the code, hydrating and the rest are tasks between which visitors are answered. */
const nextTask = () => new Promise((done) => setTimeout(done));

async function start(root: HTMLElement) {
  if (root.firstElementChild) {
    const first = await hydrateRoute(location.pathname, root.dataset.page);
    await nextTask();
    hydration.active = true;
    hydrateRoot(root, <App first={first} />);
    hydration.active = false;
    await nextTask();
  } else {
    createRoot(root).render(<App first={await loadRoute(location.pathname)} />);
  }
  initNavigation();
  initMenus();
  countClicks();
  layOutWhenIdle();
}

const root = document.getElementById('app');
recordAttribution();
if (root) start(root);
