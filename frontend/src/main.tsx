// Starts the site in the browser: adopts the prerendered page, or draws it where there is none (development).
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app';
import { countTaps, noteArrival } from './attribution';
import { mindMenus } from './layout/menus';
import { followLinks } from './navigation';
import { adopt, open } from './routes';
import { adoption } from './still';
import './styles/index.css';

async function start(root: HTMLElement) {
  if (root.firstElementChild) {
    const first = await adopt(location.pathname, root.dataset.page);
    adoption.now = true;
    hydrateRoot(root, <App first={first} />);
    adoption.now = false;
  } else {
    createRoot(root).render(<App first={await open(location.pathname)} />);
  }
  followLinks();
  mindMenus();
  countTaps();
}

const root = document.getElementById('app');
noteArrival();
if (root) start(root);
