// Problems that need attention: backups, emails, the certificate, licenses. Empty if all is well.
import { useEffect, useState } from 'react';
import { readSystem, type System } from '../../api/system';
import { useAuth } from '../session/provider';
import { isAboutEmails, Undelivered } from './undelivered';

/** How often it is asked for, in milliseconds. */
const interval = 10 * 60_000;

/** Whether an emergency may reach no one: a gap of the rota, or a test alarm without an answer. */
const reachesNobody = (problem: string) => problem.startsWith('Nobody ');

/** The state of the system, which admins may read; undefined until it was. */
export function useSystem(): System | undefined {
  const { manager, isAdmin } = useAuth();
  const [system, setSystem] = useState<System>();
  useEffect(() => {
    if (!isAdmin) return;
    // A failure is not worth a message: the list beside it says that the server cannot be reached.
    const ask = () => manager.withToken(readSystem).then(setSystem, () => {});
    ask();
    const timer = setInterval(ask, interval);
    return () => clearInterval(timer);
  }, [manager, isAdmin]);
  return system;
}

type Props = { problems: string[] | undefined; hrefOf(request: string): string };

export function Problems({ problems, hrefOf }: Props) {
  if (!problems?.length) return null;
  return (
    <ul className="desk-problems" aria-label="Needs attention">
      {problems.map((problem) => (
        <li key={problem} className={reachesNobody(problem) ? 'overdue' : undefined}>
          {problem} {isAboutEmails(problem) ? <Undelivered hrefOf={hrefOf} /> : null}
        </li>
      ))}
    </ul>
  );
}
