// Problems that need attention: backups, emails, the certificate, licenses. Empty if all is well.
import { isAboutEmails, Undelivered } from './undelivered';

/** Whether an emergency may reach no one: a gap of the rota, or a test alarm without an answer. */
const reachesNobody = (problem: string) => problem.startsWith('Nobody ');

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
