// The content and its history as the server has them.
import { useCallback, useRef, useState } from 'react';
import { readSite, readSiteHistory, type SiteContent, type SiteVersion } from '../../api/site';
import { useAuth } from '../session/provider';

export function useContent() {
  const { manager, user } = useAuth();
  const by = user?.email ?? null;
  const [content, setContent] = useState<SiteContent>();
  const [versions, setVersions] = useState<SiteVersion[]>([]);
  const newest = useRef<SiteContent>(undefined);
  /** How many readings have begun, and which of them is the oldest that may still be shown. */
  const readings = useRef({ begun: 0, oldest: 0 });

  const show = useCallback((now: SiteContent) => {
    newest.current = now;
    setContent(now);
  }, []);

  /** Reads the content. An answer that arrives after a newer one is not shown. */
  const load = useCallback(async () => {
    readings.current.begun += 1;
    const { begun } = readings.current;
    const [now, history] = await Promise.all([
      manager.withToken(readSite),
      manager.withToken(readSiteHistory),
    ]);
    if (begun < readings.current.oldest) return now;
    readings.current.oldest = begun;
    show(now);
    setVersions(history.versions);
    return now;
  }, [manager, show]);

  /** Shows a draft that was just stored; readings that began before may lack it. */
  const stored = useCallback(
    (key: string, value: unknown, number: number) => {
      readings.current.oldest = readings.current.begun + 1;
      if (!newest.current) return;
      const draft = { number, at: new Date().toISOString(), by };
      const sections = newest.current.sections.map((section) =>
        section.key === key ? { ...section, value, draft } : section,
      );
      show({ ...newest.current, sections });
    },
    [by, show],
  );

  return { content, versions, newest, load, stored };
}
