// Toasts: short messages that screen readers announce. `toast({ ... })` shows one.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { closePath, LineIcon } from './line-icon';

/**
 * A message. `destructive` toasts are red, announced at once and stay longer; `neutral` ones do not
 * have the color of success; `duration` is how long it stays otherwise, in milliseconds.
 */
type Toast = {
  title: string;
  detail?: ReactNode;
  destructive?: boolean;
  neutral?: boolean;
  duration?: number;
};

type ToastEntry = Toast & { id: number };

const listeners = new Set<(toast: ToastEntry) => void>();
let count = 0;

/** Shows a toast. */
export function toast(message: Toast) {
  count += 1;
  for (const listener of listeners) listener({ ...message, id: count });
}

/** Announces a text to screen readers only, such as the title of the new page. */
export function announce(text: string) {
  const region = document.getElementById('announcer');
  if (region) region.textContent = text;
}

/**
 * The live regions, present on every page so that they exist before the first message. A new toast
 * replaces the previous one, which would only contradict it.
 */
export function Toaster() {
  const [shown, setShown] = useState<ToastEntry>();
  const close = (id: number) => setShown((now) => (now?.id === id ? undefined : now));

  useEffect(() => {
    const listen = (raised: ToastEntry) => {
      setShown(raised);
      setTimeout(close, raised.duration ?? (raised.destructive ? 10000 : 6000), raised.id);
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
  const look = toast.neutral ? 'toast toast-neutral' : 'toast';
  const card = useRef<HTMLDivElement>(null);

  // When the toast goes, the focus returns to where it was before.
  useLayoutEffect(() => {
    const { current } = card;
    let before: EventTarget | null = null;
    const remember = ({ relatedTarget: from }: FocusEvent) => {
      if (!current?.contains(from as Node | null)) before = from;
    };
    current?.addEventListener('focusin', remember);
    return () => {
      const hadFocus = current?.contains(document.activeElement);
      if (hadFocus && before instanceof HTMLElement) before.focus();
    };
  }, []);

  return (
    <div ref={card} className={toast.destructive ? 'toast toast-destructive' : look}>
      <div>
        <p className="toast-title">{toast.title}</p>
        {toast.detail ? <p>{toast.detail}</p> : null}
      </div>
      <button type="button" className="toast-close" aria-label="Close" onClick={close}>
        <LineIcon path={closePath} />
      </button>
    </div>
  );
}
