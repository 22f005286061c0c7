// All admins, for the filter and for assigning. Without them the inbox works, but offers no one to
// assign to.
import { listPeople } from '../../api/inbox';
import type { Person } from '../../api/inbox-types';
import { useRead } from '../session/use-read';

const nobody: Person[] = [];

export function usePeople(): Person[] {
  return useRead(listPeople).found?.people ?? nobody;
}
