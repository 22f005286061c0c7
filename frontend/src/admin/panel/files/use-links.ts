// Links to files that only those may read who are signed in.
import { useEffect, useState } from 'react';
import { linkFiles, linkSeconds, quoteFiles } from '../../../api/files';
import type { RequestFile } from '../../../api/inbox-types';
import { useAuth } from '../../session/provider';

const buckets = [quoteFiles, 'mail'];

/** Links to the files by key, renewed before they expire. */
export function useLinks(files: RequestFile[]): Record<string, string> {
  const { manager } = useAuth();
  const [links, setLinks] = useState<Record<string, string>>({});
  const keys = files.map(({ bucket, key }) => `${bucket}/${key}`).join('\n');
  useEffect(() => {
    let current = true;
    const sign = () =>
      manager
        .withToken((token) =>
          Promise.all(
            buckets.map((bucket) => {
              const own = keys.split('\n').filter((key) => key.startsWith(`${bucket}/`));
              return linkFiles(
                token,
                bucket,
                own.map((key) => key.slice(bucket.length + 1)),
              );
            }),
          ),
        )
        .then((found) => {
          if (current) setLinks(Object.assign({}, ...found));
        })
        .catch(() => {});
    sign();
    const timer = setInterval(sign, (linkSeconds - 600) * 1000);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [manager, keys]);
  return links;
}
