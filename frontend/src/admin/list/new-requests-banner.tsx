// New requests wait behind a button until the user asks for them. The button overlays the page, so
// that it shifts no content.
import { useEffect } from 'react';
import type { RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import { newRequestsText } from '../requests/new-requests-text';

type Props = { unseen: RequestItem[]; show(): void };

export function NewRequestsBanner({ unseen, show }: Props) {
  const text = newRequestsText(unseen);
  useEffect(() => {
    if (text) announce(text);
  }, [text]);
  if (!text) return null;
  return (
    <div className="new-requests">
      <Button look="signal" onClick={show}>
        {text}
      </Button>
    </div>
  );
}
