// The admin page as a document opens it, for its tests: imported anew for each, so that nothing is left of the one before.
import { createRoot } from 'react-dom/client';
import { useSearch } from 'wouter';
import { pageByKey } from '../../content/pages';
import { Toaster } from '../../ui/toast';
import AdminPage from '../admin-page';

function Site() {
  return (
    <>
      <AdminPage page={pageByKey('admin')} params={{}} search={useSearch()} />
      <Toaster />
    </>
  );
}

/** Draws the page into an empty document; the answer takes it away. */
export function openAdmin(): () => void {
  document.body.innerHTML = '<div id="app"></div>';
  const site = createRoot(document.getElementById('app') as HTMLElement);
  site.render(<Site />);
  return () => site.unmount();
}
