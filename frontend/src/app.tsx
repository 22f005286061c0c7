// The page that is shown now, inside the site's frame. A new page is drawn only when everything it needs has arrived,
// so there is no spinner on a public page; scroll, focus and the title are handled by navigation.ts.
import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { PageLayout } from './layout/page-layout';
import { afterNavigation, reloadDocument } from './navigation';
import { type LoadedRoute, loadRoute } from './routes';
import { Toaster } from './ui/toast';

export function App({ first }: { first: LoadedRoute }) {
  const [path] = useLocation();
  const search = useSearch();
  const [shown, setShown] = useState(first);

  useEffect(() => {
    let wanted = true;
    if (path !== shown.path) {
      loadRoute(path).then((next) => wanted && setShown(next), reloadDocument);
    }
    return () => {
      wanted = false;
    };
  }, [path, shown.path]);

  useLayoutEffect(() => {
    if (shown !== first) afterNavigation(shown);
  }, [shown, first]);

  const { Page, page, params, bare } = shown;
  const drawn = <Page key={shown.path} page={page} params={params} search={search} />;
  return (
    <>
      {bare ? drawn : <PageLayout path={shown.path}>{drawn}</PageLayout>}
      <Toaster />
    </>
  );
}
