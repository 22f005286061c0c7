// The content while it is edited: what was typed and not saved yet, and the calls. What is typed is
// kept in the browser at once and saved as a draft after a pause.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, hasErrorCode } from '../../api/admin-client';
import {
  discardSiteDraft,
  publishSite,
  type SiteContent,
  saveSiteDraft,
  scheduleSiteDraft,
  stepBackSite,
  unscheduleSiteDraft,
} from '../../api/site';
import { toast } from '../../ui/toast';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { forget as forgetKept, keep, readKept } from '../ui/kept';
import { useInTurn } from '../ui/use-attempt';
import { errorMessage } from '../ui/use-submit';
import { type Path, pointer, titleOf, withValue } from './shape';
import { useColleagues } from './use-colleagues';
import { useContent } from './use-content';

/** An edited section: its value, and the number of the draft that it was made from (0: none). */
type Edit = { value: unknown; base: number };

type Edits = Readonly<Record<string, Edit>>;

/** Keeps what has changed since `before`, beside the sections that another tab keeps. */
function keepEdits(before: Edits, edits: Edits) {
  const kept: Record<string, Edit> = { ...readKept<Edits>('site') };
  for (const key of Object.keys({ ...before, ...edits })) {
    const edit = edits[key];
    if (edit === before[key]) continue;
    if (edit) kept[key] = edit;
    else delete kept[key];
  }
  if (Object.keys(kept).length > 0) keep('site', kept);
  else forgetKept('site');
}

/** The pause after which what was typed is saved, in milliseconds. */
const savePause = 1200;

const refusedHelp = 'Choose another file there, or go on without it. Nothing is published until then.';

export function useSite() {
  const { manager, withRecentSignIn } = useAuth();
  const { content, versions, newest, load, stored } = useContent();
  const [edits, setEdits] = useState<Edits>(() => readKept('site') ?? {});
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [alert, setAlert] = useState('');
  /** The section with a conflicting draft. */
  const [conflict, setConflict] = useState('');
  /** Why what was typed is not saved yet. */
  const [unsaved, setUnsaved] = useState('');
  const [busy, setBusy] = useState(false);
  /** Why files of pictures were refused, by section and JSON pointer. */
  const [refused, setRefused] = useState<Record<string, string>>({});
  const isRefused = useRef(refused);
  const latestEdits = useRef(edits);
  /** One call after the other, so that each has the number of the draft before it. */
  const inTurn = useInTurn();

  const edit = useCallback((next: (edits: Edits) => Edits) => {
    latestEdits.current = next(latestEdits.current);
    setEdits(latestEdits.current);
  }, []);
  const refuse = (at: string, why?: string) => {
    const { [at]: _, ...rest } = isRefused.current;
    isRefused.current = why ? { ...rest, [at]: why } : rest;
    setRefused(isRefused.current);
  };
  /** Forgets the refused files below a place: its entries are others now. */
  const forgetRefused = (below: string) => {
    for (const at of Object.keys(isRefused.current)) if (at.startsWith(below)) refuse(at);
  };
  const forget = (key: string) => {
    forgetRefused(`${key}/`);
    edit(({ [key]: _, ...rest }) => rest);
  };

  const reload = useCallback(() => {
    setAlert('');
    load().catch((error) => setAlert(errorMessage(error)));
  }, [load]);
  useEffect(reload, [reload]);
  const { own } = useColleagues({ content, versions, load });

  const kept = useRef(edits);
  useEffect(() => {
    keepEdits(kept.current, edits);
    kept.current = edits;
  }, [edits]);

  const numberOf = (now: SiteContent | undefined, key: string) =>
    now?.sections.find((section) => section.key === key)?.draft?.number ?? 0;

  /** Saves a section as a draft; text typed during the call stays unsaved. */
  async function save(key: string, over?: number) {
    const sent = latestEdits.current[key];
    if (!sent) return;
    const number = over ?? sent.base;
    own(key, number + 1);
    try {
      await manager.withToken(saveSiteDraft, key, number, sent.value);
    } catch (error) {
      if (hasErrorCode(error, 'edited_meanwhile')) setConflict(key);
      throw error;
    }
    // Without its edit, the section is shown as it was stored.
    stored(key, sent.value, number + 1);
    edit(({ [key]: now, ...rest }) =>
      !now || now.value === sent.value ? rest : { ...rest, [key]: { ...now, base: number + 1 } },
    );
    setUnsaved('');
    await load();
  }

  /**
   * Saves after a pause; a section that breaks a rule stays in this browser until it keeps them.
   */
  async function saveQuietly(key: string) {
    try {
      await save(key);
    } catch (error) {
      const isBroken = error instanceof ApiError && error.status === 422;
      if (hasErrorCode(error, 'edited_meanwhile')) setAlert(errorMessage(error));
      setUnsaved(
        isBroken
          ? 'Kept in this browser: some fields are not complete. Press Save draft to see which.'
          : 'Kept in this browser, not saved yet.',
      );
    }
  }
  const quietly = useRef(saveQuietly);
  quietly.current = saveQuietly;

  useEffect(() => {
    const keys = Object.keys(edits).filter((key) => key !== conflict);
    if (!keys.length || !content) return;
    const timer = setTimeout(() => {
      for (const key of keys) inTurn(() => quietly.current(key));
    }, savePause);
    return () => clearTimeout(timer);
  }, [edits, conflict, content === undefined]);

  /** Throws if a picture was refused: what is published would lack it without a word. */
  function requirePictures() {
    const [first] = Object.keys(isRefused.current);
    if (!first) return;
    const section = titleOf(first.split('/')[0] ?? '');
    throw new ApiError(422, 'picture_refused', `A picture in “${section}” was refused. ${refusedHelp}`);
  }

  /** A job that the next calls wait for; it reports its own failure. */
  const waitFor = (job: Promise<unknown>) => {
    inTurn(() => job).catch(() => {});
  };

  function attempt(job: () => Promise<void>): Promise<boolean> {
    setBusy(true);
    return inTurn(async () => {
      setAlert('');
      setFaults({});
      setConflict('');
      try {
        await job();
        return true;
      } catch (error) {
        setAlert(errorMessage(error));
        if (error instanceof ApiError) setFaults(error.details.fields ?? {});
        return false;
      } finally {
        setBusy(false);
      }
    });
  }

  async function discard(key: string) {
    const number = numberOf(newest.current, key);
    if (number) await manager.withToken(discardSiteDraft, key, number);
    forget(key);
    await load();
  }

  return {
    content,
    versions,
    edits,
    faults,
    alert,
    reload,
    conflict,
    unsaved,
    busy,
    waitFor,
    refused,
    refuse,
    change: (key: string, saved: unknown, path: Path, value: unknown) => {
      if (Array.isArray(value)) forgetRefused(`${key}${pointer(path)}/`);
      edit((all) => {
        const { value: before, base } = all[key] ?? { value: saved, base: numberOf(content, key) };
        return { ...all, [key]: { value: withValue(before, path, value), base } };
      });
    },
    save: (key: string) =>
      attempt(async () => {
        await save(key);
        toast({ title: 'Draft saved' });
      }),
    /** Saves everything that was typed. */
    saveAll: () =>
      attempt(async () => {
        requirePictures();
        for (const key of Object.keys(latestEdits.current)) await save(key);
      }),
    /** After a conflict: what was typed here replaces the other draft. */
    saveOver: (key: string) =>
      attempt(async () => {
        await save(key, numberOf(await load(), key));
        toast({ title: 'Draft saved' });
      }),
    /** After a conflict: the other draft replaces what was typed here. */
    showTheirs: (key: string) =>
      attempt(async () => {
        await load();
        forget(key);
      }),
    discard: (key: string) => attempt(() => discard(key)),
    publish: (drafts: Record<string, number>) =>
      attempt(async () => {
        const version = newest.current?.version ?? 0;
        own('version', version + 1);
        await withRecentSignIn((token) => publishSite(token, version, drafts));
        await load();
        toast({ title: 'Published. Every page shows it now.' });
      }),
    stepBack: (to: number) =>
      attempt(async () => {
        const version = newest.current?.version ?? 0;
        own('version', version + 1);
        await withRecentSignIn((token) => stepBackSite(token, version, to));
        await load();
        toast({ title: to ? `Version ${to} is published again.` : 'The site is as shipped again.' });
      }),
    /** Publishes the draft of a section at a time; without one: takes it off the schedule. */
    schedule: (key: string, at?: Date) =>
      attempt(async () => {
        if (at) requirePictures();
        if (at) await save(key);
        const number = numberOf(newest.current, key);
        await withRecentSignIn((token) =>
          at ? scheduleSiteDraft(token, key, number, at.toISOString()) : unscheduleSiteDraft(token, key),
        );
        await load();
        toast({
          title: at ? `It will be published ${dateTime(at.toISOString())}.` : 'Not scheduled any more.',
        });
      }),
  };
}

export type Site = ReturnType<typeof useSite>;
