// A list over the page that typing narrows: arrows choose, Enter or a press takes, Escape closes.
// biome-ignore-all lint/a11y/useSemanticElements: a combobox with its list
// biome-ignore-all lint/a11y/useFocusableInteractive: the field keeps the focus
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field has the keys
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

export type Pick = {
  name: string;
  /** The key that does the same. */
  hotkey?: string | undefined;
  run(): void;
};

type Props = { label: string; picks: readonly Pick[]; close(): void };

export function PickList({ label, picks, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState<string[]>([]);
  const [at, setAt] = useState(0);
  // With the drawing: the next letter is typed into it.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => list.current?.children[at]?.scrollIntoView?.({ block: 'nearest' }), [at]);
  const shown = picks.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));

  function take(pick: Pick | undefined) {
    if (!pick) return;
    // The focus is back where it was before it runs.
    dialog.current?.close();
    pick.run();
  }

  function press(event: KeyboardEvent<HTMLDialogElement>) {
    // It may stand in a form, whose keys it does not press.
    event.stopPropagation();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') take(shown[at]);
    else if (step) setAt((at + step + shown.length) % Math.max(1, shown.length));
    else return;
    event.preventDefault();
  }

  return (
    <dialog ref={dialog} className="pick-list" aria-label={label} onClose={close} onKeyDown={press}>
      <input
        className="input"
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="picks"
        aria-autocomplete="list"
        aria-activedescendant={shown[at] ? `pick-${at}` : undefined}
        placeholder={label}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => {
          event.stopPropagation();
          setWords(event.currentTarget.value.toLowerCase().split(/\s+/).filter(Boolean));
          setAt(0);
        }}
      />
      <div ref={list} id="picks" role="listbox" aria-label={label}>
        {shown.map((pick, index) => (
          <div
            key={pick.name}
            id={`pick-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => take(pick)}
          >
            {pick.name} {pick.hotkey ? <kbd>{pick.hotkey}</kbd> : null}
          </div>
        ))}
      </div>
      <p className="muted" role="status">
        {shown.length === 0 ? 'Nothing has this name.' : ''}
      </p>
    </dialog>
  );
}
