// A button that asks twice: the first press changes its words, the second does it. Looking elsewhere takes the first back.
import { useState } from 'react';
import { Button } from '../../ui/button';

export function ConfirmButton({ name, of, act }: { name: string; of: string; act: () => void }) {
  const [asked, setAsked] = useState(false);
  const words = asked ? `Really ${name.charAt(0).toLowerCase()}${name.slice(1)}` : name;
  return (
    <Button
      look="line"
      className={asked ? 'confirming' : undefined}
      aria-label={`${words} ${of}`}
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (asked) act();
        setAsked(!asked);
      }}
    >
      {words}
    </Button>
  );
}
