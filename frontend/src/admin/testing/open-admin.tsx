// Opens the admin page for tests. Import it after `vi.resetModules()`, so that no state of the last test remains.
import { createRoot } from 'react-dom/client';
import { useSearch } from 'wouter';
import { Toaster } from '../../ui/toast';
import AdminPage from '../admin-page';

function Site() {
  return (
    <>
      <AdminPage search={useSearch()} />
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
