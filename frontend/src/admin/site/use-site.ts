// The content while it is edited: what the server has, what was typed and not saved yet, and the
// calls.
import { useCallback, useEffect, useState } from 'react';
import { ApiError, hasErrorCode } from '../../api/admin-client';
import {
  discardSiteDraft,
  previewSite,
  publishSite,
  readSite,
  readSiteHistory,
  type SiteContent,
  type SiteVersion,
  saveSiteDraft,
  stepBackSite,
} from '../../api/site';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';
import { type Path, withValue } from './shape';

type Edits = Record<string, unknown>;

export function useSite() {
  const { manager } = useAuth();
  const [content, setContent] = useState<SiteContent>();
  const [versions, setVersions] = useState<SiteVersion[]>([]);
  const [edits, setEdits] = useState<Edits>({});
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [alert, setAlert] = useState('');
  /** The section with a conflicting draft. */
  const [conflict, setConflict] = useState('');
  const [preview, setPreview] = useState('');
  const [busy, setBusy] = useState(false);

  const load = useCallback(async () => {
    const [now, history] = await Promise.all([
      manager.withToken(readSite),
      manager.withToken(readSiteHistory),
    ]);
    setContent(now);
    setVersions(history.versions);
    return now;
  }, [manager]);

  useEffect(() => {
    load().catch((error) => setAlert(errorMessage(error)));
  }, [load]);

  const dirty = Object.keys(edits).length > 0;
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty]);

  async function attempt(job: () => Promise<void>) {
    if (busy) return;
    setAlert('');
    setFaults({});
    setConflict('');
    setBusy(true);
    try {
      await job();
    } catch (error) {
      setAlert(errorMessage(error));
      if (error instanceof ApiError) setFaults(error.details.fields ?? {});
    } finally {
      setBusy(false);
    }
  }

  const forget = (key: string) => setEdits(({ [key]: _, ...rest }) => rest);
  const numberOf = (now: SiteContent, key: string) =>
    now.sections.find((section) => section.key === key)?.draft?.number ?? 0;

  async function save(key: string, now: SiteContent) {
    try {
      await manager.withToken((token) => saveSiteDraft(token, key, numberOf(now, key), edits[key]));
    } catch (error) {
      if (hasErrorCode(error, 'edited_meanwhile')) setConflict(key);
      throw error;
    }
    forget(key);
    await load();
    toast({ title: 'Draft saved' });
  }

  return {
    content,
    versions,
    edits,
    faults,
    alert,
    conflict,
    preview,
    busy,
    change: (key: string, saved: unknown, path: Path, value: unknown) =>
      setEdits((all) => ({ ...all, [key]: withValue(key in all ? all[key] : saved, path, value) })),
    forget,
    save: (key: string) => attempt(async () => content && save(key, content)),
    /** After a conflict: what was typed here replaces the other draft. */
    saveOver: (key: string) => attempt(async () => save(key, await load())),
    /** After a conflict: the other draft replaces what was typed here. */
    showTheirs: (key: string) =>
      attempt(async () => {
        await load();
        forget(key);
      }),
    discard: (key: string) =>
      attempt(async () => {
        const number = content ? numberOf(content, key) : 0;
        if (number) await manager.withToken((token) => discardSiteDraft(token, key, number));
        forget(key);
        await load();
      }),
    makePreview: () => attempt(async () => setPreview((await manager.withToken(previewSite)).url)),
    publish: () =>
      attempt(async () => {
        if (!content) return;
        const drafts = Object.fromEntries(
          content.sections.flatMap(({ key, draft }) => (draft ? [[key, draft.number]] : [])),
        );
        await manager.withToken((token) => publishSite(token, content.version, drafts));
        await load();
        toast({ title: 'Published. Every page shows it now.' });
      }),
    stepBack: (to: number) =>
      attempt(async () => {
        if (!content) return;
        await manager.withToken((token) => stepBackSite(token, content.version, to));
        await load();
        toast({ title: to ? `Version ${to} is published again.` : 'The site is as shipped again.' });
      }),
  };
}

export type Site = ReturnType<typeof useSite>;
