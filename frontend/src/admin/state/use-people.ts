// All admins, for the filter and for assigning. Without them the inbox works, but offers no one to
// assign to.
import { useEffect, useState } from 'react';
import { listPeople } from '../../api/inbox';
import type { Person } from '../../api/inbox-types';
import { useAuth } from '../session/provider';

export function usePeople(): Person[] {
  const { manager } = useAuth();
  const [people, setPeople] = useState<Person[]>([]);
  useEffect(() => {
    manager.withToken(listPeople).then(
      (read) => setPeople(read.people),
      () => {},
    );
  }, [manager]);
  return people;
}
