// Which row has the keyboard focus, and moving the focus to a row that may not be rendered yet.
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';

export type RowFocus = {
  /** The rendered rows by request id; each row registers itself. */
  rows: RefObject<Map<string, { row: HTMLElement; link: HTMLElement }>>;
  rendered(): [id: string, row: HTMLElement][];
  /** The request in whose row the focus is. */
  focused(): string | undefined;
  /** The request whose row gets the focus as soon as it is rendered. */
  wanted(): string | undefined;
  /** Focuses a row, now or as soon as it is rendered. */
  focus(id: string | undefined): void;
};

export function useRowFocus(): RowFocus {
  const rows: RowFocus['rows'] = useRef(new Map());
  const wanted = useRef<string>(undefined);
  const [, render] = useState(0);

  useLayoutEffect(() => {
    const link = rows.current?.get(wanted.current ?? '')?.link;
    if (!link) return;
    wanted.current = undefined;
    link.focus();
  });

  return useMemo(() => {
    const rendered = () => [...(rows.current ?? [])].map(([id, { row }]): [string, HTMLElement] => [id, row]);
    return {
      rows,
      rendered,
      focused: () => rendered().find(([, row]) => row.contains(document.activeElement))?.[0],
      wanted: () => wanted.current,
      focus(id) {
        const link = rows.current?.get(id ?? '')?.link;
        wanted.current = link ? undefined : id;
        link?.focus();
        // The list renders the wanted row, however far it is from the window.
        if (wanted.current) render((count) => count + 1);
      },
    };
  }, []);
}

/** Whether no element has the focus, as after the focused button was removed. */
export function focusIsLost(): boolean {
  return !document.activeElement || document.activeElement === document.body;
}

/**
 * Whether no element has the focus once a form is closed: the form has it, or its button has lost
 * it when it was disabled. False if the form is gone already.
 */
export function losesFocus(form: HTMLElement | null): boolean {
  return form !== null && (form.contains(document.activeElement) || focusIsLost());
}
