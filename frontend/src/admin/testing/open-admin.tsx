// Opens the admin page for tests. Import it after `vi.resetModules()`, so that no state of the last
// test remains.
import { createRoot } from 'react-dom/client';
import { useLocation, useSearch } from 'wouter';
import { matchPath } from '../../content/route-manifest';
import { Toaster } from '../../ui/toast';
import AdminPage from '../admin-page';

function Site() {
  const [path] = useLocation();
  return (
    <>
      <AdminPage page={matchPath(path).page} search={useSearch()} />
      <Toaster />
    </>
  );
}

/** Renders the page into an empty document; the returned function unmounts it. */
export function openAdmin(): () => void {
  document.body.innerHTML = '<div id="app"></div>';
  const site = createRoot(document.getElementById('app') as HTMLElement);
  site.render(<Site />);
  return () => site.unmount();
}
