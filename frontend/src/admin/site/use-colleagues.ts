// Follows what colleagues save and publish: reads the content again and says who changed what.
import { useEffect, useRef } from 'react';
import type { SiteContent, SiteVersion } from '../../api/site';
import { toast } from '../../ui/toast';
import { useConnection } from '../live/live-provider';
import { titleOf } from './shape';

type Following = {
  content: SiteContent | undefined;
  versions: SiteVersion[];
  load(): Promise<unknown>;
};

/** Changes that come within this time are read at once, in milliseconds. */
const pause = 300;

export function useColleagues({ content, versions, load }: Following) {
  const { follow } = useConnection();
  const before = useRef<SiteContent | undefined>(undefined);
  /** What this screen has saved or published itself. */
  const done = useRef(new Set<string>());

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = () => {
      clearTimeout(timer);
      timer = setTimeout(() => load().catch(() => {}), pause);
    };
    const stop = follow(({ type }) => {
      // What happened while the stream was interrupted is not on it.
      if (type === 'site' || type === 'resync') reload();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [follow, load]);

  useEffect(() => {
    const news = content && before.current && newsOf(before.current, content, versions, done.current);
    before.current = content;
    if (news?.length) toast({ title: news.join(' ') });
  }, [content, versions]);

  return {
    own: (key: string, number: number) => {
      done.current.add(`${key} ${number}`);
    },
  };
}

/** What others have done between two readings: a sentence for each of their changes. */
export function newsOf(
  before: SiteContent,
  now: SiteContent,
  versions: SiteVersion[],
  own: ReadonlySet<string>,
): string[] {
  if (now.version > before.version && !own.has(`version ${now.version}`)) {
    const by = versions.find(({ version }) => version === now.version)?.by;
    return [`${by ?? 'The command line'} published version ${now.version}.`];
  }
  return now.sections.flatMap(({ key, draft }) => {
    const former = before.sections.find((one) => one.key === key)?.draft;
    if (!draft || draft.number === former?.number || own.has(`${key} ${draft.number}`)) return [];
    return [`${draft.by ?? 'Somebody'} saved a draft of ${titleOf(key)}.`];
  });
}
