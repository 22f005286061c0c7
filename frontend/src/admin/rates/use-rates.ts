// The rates while they are edited: saved as a draft after a pause, published by a button.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { discardRates, publishRates, type RatesInForce, readRates, saveRates } from '../../api/offers';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { type Path, withValue } from '../site/shape';
import { forget, keep, readKept } from '../ui/kept';
import { useAttempt } from '../ui/use-attempt';
import { useSaveLater } from '../ui/use-save-later';
import { errorMessage } from '../ui/use-submit';
import { type FormFaults, formOf, type RatesForm } from './form';
import { placed } from './places';
import { ratesOf } from './read-form';

/** The pause after which what was typed is saved, in milliseconds. */
const savePause = 1000;

export function useRates() {
  const { manager, withRecentSignIn } = useAuth();
  const [state, setState] = useState<RatesInForce>();
  const [form, setForm] = useState<RatesForm>();
  const [faults, setFaults] = useState<FormFaults>({});
  const { alert, setAlert, busy, attempt, inTurn } = useAttempt();
  const [edited, setEdited] = useState(false);
  const latest = useRef<{ form: RatesForm | undefined; revision: number; edited: boolean }>({
    form: undefined,
    revision: 0,
    edited: false,
  });

  const show = useCallback((now: RatesInForce, withForm: boolean) => {
    latest.current.revision = now.draft?.revision ?? 0;
    setState(now);
    if (!withForm) return;
    const next = formOf(now.draft?.rates ?? now.rates);
    Object.assign(latest.current, { form: next, edited: false });
    setForm(next);
    setEdited(false);
  }, []);

  const load = useCallback(() => {
    setAlert('');
    manager.withToken(readRates).then(
      (now) => {
        show(now, true);
        const kept = readKept<{ form: RatesForm; revision: number }>('rates');
        if (!kept) return;
        // Where a colleague has saved since, the server refuses the older revision.
        Object.assign(latest.current, { ...kept, edited: true });
        setForm(kept.form);
        setEdited(true);
      },
      (error) => setAlert(errorMessage(error)),
    );
  }, [manager, show]);
  useEffect(load, [load]);

  /** Saves the draft; returns whether it could. `always`: also if nothing was changed. */
  async function save(keepalive: boolean, always = false): Promise<boolean> {
    const { form: sent, revision } = latest.current;
    if (!sent || !(always || latest.current.edited)) return true;
    const read = ratesOf(sent);
    setFaults(read.faults);
    if (Object.keys(read.faults).length) {
      setAlert('Some fields need a correction. Each is marked. What you typed is not saved yet.');
      return false;
    }
    try {
      show(await manager.withToken(saveRates, revision, read.rates, keepalive), false);
      latest.current.edited = latest.current.form !== sent;
      if (!latest.current.edited) forget('rates');
      setEdited(latest.current.edited);
      setAlert('');
      return true;
    } catch (error) {
      if (error instanceof ApiError) setFaults(placed(error.details.fields ?? {}, sent));
      setAlert(errorMessage(error));
      return false;
    }
  }

  const { saveLater } = useSaveLater({ pause: savePause, inTurn, save });
  useEffect(() => {
    if (edited) saveLater();
  }, [form, edited]);

  return {
    state,
    form,
    faults,
    alert,
    busy,
    edited,
    load,
    change(path: Path, value: unknown) {
      const next = withValue(latest.current.form, path, value) as RatesForm;
      Object.assign(latest.current, { form: next, edited: true });
      keep('rates', { form: next, revision: latest.current.revision });
      setForm(next);
      setEdited(true);
    },
    discard: () =>
      attempt(async () => {
        const { revision } = latest.current;
        const now = await manager.withToken((token) =>
          revision ? discardRates(token, revision) : readRates(token),
        );
        forget('rates');
        setFaults({});
        show(now, true);
      }),
    /** Publishes what is shown, also the sample as it is. */
    publish: () =>
      attempt(async () => {
        if (!(await save(false, latest.current.revision === 0))) return;
        const { revision } = latest.current;
        const now = await withRecentSignIn((token) => publishRates(token, revision));
        // What was typed during the call becomes the next draft.
        show(now, !latest.current.edited);
        toast({ title: 'Rates published', detail: 'Offers are made with them from now on.' });
      }),
  };
}
