// The figures of the period in the address.
import { useEffect, useState } from 'react';
import { readToDo, type ToDo } from '../../api/figures';
import { useLive } from '../live/live-provider';
import { isDay } from '../requests/desk-url';
import { useAuth } from '../session/provider';
import { useAttempt, useCoalesced } from '../ui/use-attempt';

/** The query of the API for that of the address: last week, unless it names another period. */
export function periodQuery(search: string): string {
  const query = new URLSearchParams(search);
  const [from, to] = [query.get('from'), query.get('to')];
  if (isDay(from) && isDay(to)) return `from=${from}&to=${to}`;
  return `period=${query.get('period')?.replace(/[^a-z_]/g, '') || 'last_week'}`;
}

/** What needs doing; undefined until it was read. It is read again when requests change. */
export function useToDo() {
  const { manager } = useAuth();
  const [toDo, setToDo] = useState<ToDo>();
  const { alert, attempt } = useAttempt();
  const retry = useCoalesced(() => attempt(async () => setToDo(await manager.withToken(readToDo))));
  useEffect(retry, [retry]);
  useLive(retry);
  return { lines: toDo?.lines, problem: alert, retry };
}
