// The state of the system: problems, backups, the lifetime of an invitation.

import { useEffect, useState } from 'react';
import { listPeople, type Person } from '../../api/inbox';
import { readSystem, type System } from '../../api/system';
import { useAuth } from '../session/provider';
import { useRead } from '../session/use-read';

/** How often it is asked for, in milliseconds. */
const interval = 10 * 60_000;

/** The state of the system, which admins may read; undefined until it was. */
export function useSystem(): System | undefined {
  const { manager, isAdmin } = useAuth();
  const [system, setSystem] = useState<System>();
  useEffect(() => {
    if (!isAdmin) return;
    // A failure is not worth a message: the page beside it says that the server cannot be reached.
    const ask = () => manager.withToken(readSystem).then(setSystem, () => {});
    ask();
    const timer = setInterval(ask, interval);
    return () => clearInterval(timer);
  }, [manager, isAdmin]);
  return system;
}

const none: Person[] = [];

/**
 * All admins, for the filter and for assigning. Without them the inbox works, but offers no one to
 * assign to.
 */
export function usePeople(): Person[] {
  return useRead(listPeople).found?.people ?? none;
}
