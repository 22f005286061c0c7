// Short messages at the edge of the screen, announced to screen readers. Plain calls raise them: `toast({ ... })`.
import { useEffect, useState } from 'react';
import { Icon } from './icon';

/** A message. `destructive` ones are red, announced at once and stay longer. */
type Toast = { title: string; detail?: string; destructive?: boolean };

type ToastEntry = Toast & { id: number };

/** How long a message stays, in milliseconds; enough to read it twice. */
const durationMs = { plain: 6000, destructive: 10000 };

const listeners = new Set<(toast: ToastEntry) => void>();
let count = 0;

/** Shows a message. */
export function toast(message: Toast) {
  count += 1;
  for (const listener of listeners) listener({ ...message, id: count });
}

/** Says a text to screen readers only, for instance the title of the page just opened. */
export function announce(text: string) {
  const region = document.getElementById('announcer');
  if (region) region.textContent = text;
}

/** The places where messages appear; part of every page, so that live regions exist before they are used. The newest
 * message takes the place of the one before it: what was true a moment ago would only contradict it. */
export function Toaster() {
  const [shown, setShown] = useState<ToastEntry>();
  const close = (id: number) => setShown((now) => (now?.id === id ? undefined : now));

  useEffect(() => {
    const listen = (raised: ToastEntry) => {
      setShown(raised);
      setTimeout(close, raised.destructive ? durationMs.destructive : durationMs.plain, raised.id);
    };
    listeners.add(listen);
    return () => {
      listeners.delete(listen);
    };
  }, []);

  const card = shown ? <Card key={shown.id} toast={shown} close={() => close(shown.id)} /> : null;
  return (
    <div className="toasts">
      <p id="announcer" className="visually-hidden" aria-live="polite" />
      <div aria-live="assertive">{shown?.destructive ? card : null}</div>
      <div aria-live="polite">{shown?.destructive ? null : card}</div>
    </div>
  );
}

function Card({ toast, close }: { toast: Toast; close: () => void }) {
  return (
    <div className={toast.destructive ? 'toast toast-destructive' : 'toast'}>
      <div>
        <p className="toast-title">{toast.title}</p>
        {toast.detail ? <p>{toast.detail}</p> : null}
      </div>
      <button type="button" className="toast-close" aria-label="Close message" onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  );
}
