// New requests are counted in the tab's title, for a dashboard that is open behind other windows.
import { useEffect } from 'react';

export function useTitleCount(count: number) {
  useEffect(() => {
    const plain = document.title.replace(/^\([0-9]+\) /, '');
    document.title = count > 0 ? `(${count}) ${plain}` : plain;
    return () => {
      document.title = document.title.replace(/^\([0-9]+\) /, '');
    };
  }, [count]);
}
