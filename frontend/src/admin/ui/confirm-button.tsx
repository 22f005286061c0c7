// A button with confirmation: the first press changes its label, the second acts. Losing focus
// cancels.

import { useState } from 'react';
import { Button } from '../../ui/button';

export function ConfirmButton({ name, of, act }: { name: string; of: string; act: () => void }) {
  const [asked, setAsked] = useState(false);
  const label = asked ? `Really ${name.charAt(0).toLowerCase()}${name.slice(1)}` : name;
  return (
    <Button
      look="line"
      className={asked ? 'confirming' : undefined}
      aria-label={`${label} ${of}`}
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (asked) act();
        setAsked(!asked);
      }}
    >
      {label}
    </Button>
  );
}

type Props = { disabled?: boolean; settle(mine: boolean): void };

/** The choice after two people have changed the same draft. */
export function Conflict({ disabled, settle }: Props) {
  return (
    <div className="actions">
      <Button look="line" disabled={disabled} onClick={() => settle(true)}>
        Save mine over it
      </Button>
      <Button look="line" disabled={disabled} onClick={() => settle(false)}>
        Drop mine and show theirs
      </Button>
    </div>
  );
}
