// New requests wait behind a button until the user asks for them. The button overlays the page, so
// that it shifts no content.

import { useEffect } from 'react';
import type { RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import { pageSize } from '../requests/desk-url';
import { counted } from '../requests/format';
import { useDesk } from '../state/use-desk';

export function NewRequestsBanner() {
  const { store, showNew } = useDesk();
  const { requests, list } = store.state;
  const unseen = (list?.unseen ?? []).flatMap((id) => requests.get(id) ?? []);
  const text = newRequestsText(unseen);
  useEffect(() => {
    if (text) announce(text);
  }, [text]);
  if (!text) return null;
  return (
    <div className="new-requests">
      <Button look="signal" onClick={showNew}>
        {text}
      </Button>
    </div>
  );
}

// How many requests wait behind the button over the list: new ones, known ones whose customer has
// written, due reminders, and how many of them want a call.

/** As in "3 new requests, 1 new message, 1 reminder, 1 emergency"; empty without any. */
export function newRequestsText(unseen: readonly RequestItem[]): string {
  if (unseen.length === 0) return '';
  const unread = unseen.filter((request) => request.unread).length;
  const reminders = unseen.filter((request) => !request.unread && request.follow_up?.due).length;
  const urgent = unseen.filter((request) => request.awaits_call).length;
  // Only the first page is looked at.
  const more = unseen.length >= Number(pageSize) ? '+' : '';
  const parts = [
    counted(unseen.length - unread - reminders, 'new request', undefined, more),
    counted(unread, 'new message', undefined, more),
    counted(reminders, 'reminder', undefined, more),
    unseen.length === 1 && urgent === 1
      ? 'an emergency'
      : counted(urgent, 'emergency', 'emergencies', urgent === unseen.length ? more : ''),
  ];
  return parts.filter(Boolean).join(', ');
}
