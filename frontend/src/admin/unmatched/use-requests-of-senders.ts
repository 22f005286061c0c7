// The requests of those who have written emails without one: most belong to the newest of them.
import { useEffect, useRef, useState } from 'react';
import { listRequests } from '../../api/inbox';
import type { RequestItem } from '../../api/inbox-types';
import type { MessageDetail, UnmatchedEmail } from '../../api/mail';
import { useAuth } from '../session/provider';

/** The most senders that are looked up, and the most requests of each that are offered. */
const maxSenders = 30;
export const maxRequests = 3;

/** The author, and the person to answer: a portal writes for one. */
export function sendersOf({ detail }: UnmatchedEmail): string[] {
  const { reply_to: answered, from } = detail as MessageDetail;
  return [answered, from].flatMap((address) => address?.toLowerCase() || []);
}

/** The newest requests of each sender, by the address in lower case. */
export function useRequestsOfSenders(emails: UnmatchedEmail[]): Record<string, RequestItem[]> {
  const { manager } = useAuth();
  const [found, setFound] = useState<Record<string, RequestItem[]>>({});
  const asked = useRef(new Set<string>());
  const senders = [...new Set(emails.flatMap(sendersOf))].slice(0, maxSenders);
  const key = senders.join(' ');
  useEffect(() => {
    async function look() {
      for (const sender of key.split(' ').filter(Boolean)) {
        if (asked.current.has(sender)) continue;
        asked.current.add(sender);
        const { requests } = await manager.withToken(listRequests, { q: sender, limit: '10' });
        const theirs = requests.filter(({ email }) => email.toLowerCase() === sender);
        setFound((now) => ({ ...now, [sender]: theirs.slice(0, maxRequests) }));
      }
    }
    // The reference can be typed all the same.
    look().catch(() => {});
  }, [manager, key]);
  return found;
}
