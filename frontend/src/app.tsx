// The page that is shown now, inside the site's frame. A new page is drawn only when everything it needs has arrived,
// so there is no spinner on a public page; scroll, focus and the title are handled by navigation.ts.
import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Frame } from './layout/frame';
import { arrive, reloadAt } from './navigation';
import { open, type Shown } from './routes';
import { Toaster } from './ui/toast';

export function App({ first }: { first: Shown }) {
  const [path] = useLocation();
  const search = useSearch();
  const [shown, setShown] = useState(first);

  useEffect(() => {
    let wanted = true;
    if (path !== shown.path) {
      open(path).then((next) => wanted && setShown(next), reloadAt);
    }
    return () => {
      wanted = false;
    };
  }, [path, shown.path]);

  useLayoutEffect(() => {
    if (shown !== first) arrive(shown);
  }, [shown, first]);

  const { Page, page, params, bare } = shown;
  const drawn = <Page key={shown.path} page={page} params={params} search={search} />;
  return (
    <>
      {bare ? drawn : <Frame path={shown.path}>{drawn}</Frame>}
      <Toaster />
    </>
  );
}
