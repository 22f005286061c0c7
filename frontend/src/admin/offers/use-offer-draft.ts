// The draft of an offer while it is edited: saved after a pause, one call after the other.
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { type Offer, type OfferDraft, saveOffer } from '../../api/offers';
import { useAuth } from '../session/provider';
import { forget, keep, readKept } from '../ui/kept';
import { useInTurn } from '../ui/use-attempt';
import { useSaveLater } from '../ui/use-save-later';
import { errorMessage } from '../ui/use-submit';
import { type Faults, unreadable } from './draft';

/** The pause after which a change is saved, in milliseconds. */
const savePause = 400;

export type Saving = 'saved' | 'waiting' | 'incomplete' | 'failed' | 'conflict';

/** `stored` reports what the server has, after each saving. */
export function useOfferDraft(offer: Offer, stored: (offer: Offer) => void) {
  const { manager } = useAuth();
  const { number } = offer;
  const kept = `offer ${number}`;
  /** What was typed in this browser before and is not saved. */
  const [before] = useState(() => readKept<{ draft: OfferDraft; revision: number }>(kept));
  const [draft, setDraft] = useState(before?.draft ?? offer.draft);
  const isOutdated = before !== undefined && before.revision !== offer.revision;
  const [saving, setSaving] = useState<Saving>(before ? (isOutdated ? 'conflict' : 'waiting') : 'saved');
  const [alert, setAlert] = useState('');
  /** What the server has found wrong, until it is changed. */
  const [refused, setRefused] = useState<Faults>({});
  const latest = useRef({ draft, saved: offer.draft, revision: before?.revision ?? offer.revision, stored });
  latest.current.stored = stored;

  async function save(keepalive: boolean) {
    const now = latest.current;
    const sent = now.draft;
    if (sent === now.saved) return;
    if (Object.keys(unreadable(sent)).length) {
      setSaving('incomplete');
      throw new Error('Complete the marked fields first.');
    }
    try {
      const offer = await manager.withToken(saveOffer, number, now.revision, sent, keepalive);
      now.revision = offer.revision;
      now.saved = sent;
      if (now.draft === sent) forget(kept);
      else keep(kept, { draft: now.draft, revision: now.revision });
      setSaving(now.draft === sent ? 'saved' : 'waiting');
      setAlert('');
      now.stored(offer);
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === 409;
      if (error instanceof ApiError) setRefused(error.details.fields ?? {});
      setSaving(isConflict ? 'conflict' : 'failed');
      setAlert(errorMessage(error));
      throw error;
    }
  }
  const { saveNow, saveLater } = useSaveLater({ pause: savePause, inTurn: useInTurn(), save });
  useEffect(() => {
    if (before) saveNow().catch(() => {});
  }, []);

  return {
    draft,
    saving,
    alert,
    refused,
    setRefused,
    /** Saves what was not saved yet. Throws where that fails. */
    flush: saveNow,
    /** The revision that the server has. */
    revision: () => latest.current.revision,
    change(next: OfferDraft) {
      latest.current.draft = next;
      keep(kept, { draft: next, revision: latest.current.revision });
      setDraft(next);
      setRefused({});
      setSaving(Object.keys(unreadable(next)).length ? 'incomplete' : 'waiting');
      saveLater();
    },
    /** After a conflict: replaces the draft of another person. */
    saveOver(theirs: Offer) {
      latest.current.revision = theirs.revision;
      return saveNow().catch(() => {});
    },
    /** After a conflict: the draft of the other person replaces what was typed here. */
    takeTheirs(theirs: Offer) {
      forget(kept);
      Object.assign(latest.current, { draft: theirs.draft, saved: theirs.draft, revision: theirs.revision });
      setDraft(theirs.draft);
      setSaving('saved');
      setAlert('');
    },
  };
}

export const savingText: Record<Saving, string> = {
  saved: 'Draft saved.',
  waiting: 'Saving…',
  incomplete: 'Not saved yet: some fields are not complete.',
  failed: 'Not saved yet. Trying again with the next change.',
  conflict: 'Not saved: a colleague has changed this draft.',
};
