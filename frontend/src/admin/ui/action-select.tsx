// A menu whose choice acts. A choice by pointer acts at once; from the keyboard, where letters and
// arrows only look for it, by Enter or by the button beside it.
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button';

type Props = {
  id?: string;
  className?: string;
  label?: string;
  /** The name of the button. */
  action: string;
  act(value: string): void;
  /** The options; the value of the first one is empty. */
  children: ReactNode;
};

export function ActionSelect({ id, className = 'input', label, action, act, children }: Props) {
  const [chosen, setChosen] = useState('');
  const byPointer = useRef(false);
  const run = (value: string) => {
    setChosen('');
    if (value) act(value);
  };
  const press = (event: KeyboardEvent<HTMLSelectElement>) => {
    byPointer.current = false;
    if (event.key === 'Escape') setChosen('');
    if (event.key !== 'Enter' || !chosen) return;
    event.preventDefault();
    run(chosen);
  };
  return (
    <>
      <select
        id={id}
        className={className}
        aria-label={label}
        value={chosen}
        onPointerDown={() => {
          byPointer.current = true;
        }}
        onKeyDown={press}
        onChange={({ currentTarget }) => {
          if (byPointer.current) {
            run(currentTarget.value);
            currentTarget.value = '';
          } else setChosen(currentTarget.value);
        }}
      >
        {children}
      </select>
      {chosen ? (
        <Button look="line" className="button-small" onClick={() => run(chosen)}>
          {action}
        </Button>
      ) : null}
    </>
  );
}
