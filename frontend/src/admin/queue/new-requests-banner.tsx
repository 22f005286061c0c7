// New requests wait behind a button until the user asks for them. The button overlays the page, so
// that it shifts no content.
import { useEffect } from 'react';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';

export function NewRequestsBanner({ count, show }: { count: number; show(): void }) {
  const text = count === 1 ? '1 new request' : `${count} new requests`;
  useEffect(() => {
    if (count > 0) announce(text);
  }, [count, text]);
  if (count === 0) return null;
  return (
    <div className="new-requests">
      <Button look="signal" onClick={show}>
        {text}
      </Button>
    </div>
  );
}
