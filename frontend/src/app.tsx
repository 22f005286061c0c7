// The root component: the current page inside the layout. A new page is rendered once everything it
// needs has loaded, so public pages need no spinner; navigation.ts sets scroll, focus and title.
import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { PageLayout } from './layout/page-layout';
import { afterNavigation, reloadDocument } from './navigation';
import { type LoadedRoute, loadRoute } from './routes';
import { Toaster } from './ui/toast';

export function App({ first }: { first: LoadedRoute }) {
  const [path] = useLocation();
  const search = useSearch();
  const [loaded, setLoaded] = useState(first);

  useEffect(() => {
    let current = true;
    if (path !== loaded.path) {
      loadRoute(path).then((next) => current && setLoaded(next), reloadDocument);
    }
    return () => {
      current = false;
    };
  }, [path, loaded.path]);

  useLayoutEffect(() => {
    if (loaded !== first) afterNavigation(loaded);
  }, [loaded, first]);

  const { Page, path: shown, page, params, bare } = loaded;
  // The pages of the admin are one: its alarm goes on from one to the next.
  const content = <Page key={bare ? 'admin' : shown} page={page} params={params} search={search} />;
  return (
    <>
      {bare ? content : <PageLayout path={shown}>{content}</PageLayout>}
      <Toaster />
    </>
  );
}
