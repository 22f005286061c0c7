// New requests wait behind a button until they are asked for. It lies over the page, so that its coming moves nothing.
import { useEffect } from 'react';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';

export function NewRequestsBanner({ count, show }: { count: number; show: () => Promise<void> }) {
  const text = count === 1 ? '1 new request' : `${count} new requests`;
  useEffect(() => {
    if (count > 0) announce(text);
  }, [count, text]);
  if (count === 0) return null;
  const open = async () => {
    await show();
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('.row-link')?.focus();
  };
  return (
    <div className="new-requests">
      <Button look="signal" onClick={open}>
        {text}
      </Button>
    </div>
  );
}
