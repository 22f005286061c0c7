// Problems that need attention: backups, emails, the certificate, licenses. One line that opens,
// which can be put away for a week, but not that no backups are made; what may leave an emergency
// without an answer stays in sight.

import { useState } from 'react';
import { serverNow } from '../../api/server-clock';
import { listUndelivered, type UndeliveredEmail } from '../../api/system';
import { getJson, setItem } from '../../safe-storage';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import { useRead } from '../session/use-read';
import { useDesk } from '../state/use-desk';
import { useSystem } from '../state/use-system';
import { Popover } from '../ui/popover';
import { Waiting } from '../ui/waiting';

/** Whether an emergency may reach no one: a gap of the rota, or a test alarm without an answer. */
const reachesNobody = (problem: string) => problem.startsWith('Nobody ');

const week = 7 * 24 * 60 * 60_000;
const stored = 'warnings-away';

/** Warnings that were put away: one with another number is the same. */
type Away = { until: number; warnings: string[] };
const sameWords = (problem: string) => problem.replace(/\d+/g, '#');

/** A lost machine would lose every request. */
const noBackups = 'No backups are made.';

export function Problems() {
  const system = useSystem();
  const [away, setAway] = useState(() => getJson<Away>('localStorage', stored, { until: 0, warnings: [] }));
  const isAway = (problem: string) => serverNow() < away.until && away.warnings.includes(sameWords(problem));
  const { problems = [], backups_missing: backupsMissing } = system ?? {};
  const urgent = problems.filter(reachesNobody);
  const warnings = problems.filter((problem) => !reachesNobody(problem) && !isAway(problem));
  if (backupsMissing) warnings.unshift(noBackups);

  function putAway() {
    const next = { until: serverNow() + week, warnings: problems.map(sameWords) };
    setItem('localStorage', stored, JSON.stringify(next));
    setAway(next);
  }

  return (
    <>
      {urgent.length > 0 ? (
        <ul className="desk-problems" aria-label="Reaches nobody">
          {urgent.map((problem) => (
            <li key={problem} className="overdue">
              {problem}
            </li>
          ))}
        </ul>
      ) : null}
      {warnings.length > 0 ? (
        <Popover
          className="desk-warnings"
          summary={`${warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`} about this installation`}
        >
          <ul aria-label="Needs attention">
            {warnings.map((problem) => (
              <li key={problem}>
                {problem} {isAboutEmails(problem) ? <Undelivered /> : null}
              </li>
            ))}
          </ul>
          {warnings.some((problem) => problem !== noBackups) ? (
            <Button look="line" onClick={putAway}>
              Put away for a week
            </Button>
          ) : null}
        </Popover>
      ) : null}
    </>
  );
}

// The emails that could not be delivered, in a box beside the sentence that counts them.

/** Whether a problem is about emails, as in "1 email could not be delivered." */
function isAboutEmails(problem: string): boolean {
  return /^\d+ emails? /.test(problem);
}

function Undelivered() {
  return (
    <Popover className="undelivered" summary="View">
      <List />
    </Popover>
  );
}

function List() {
  const { hrefOf } = useDesk();
  const { found, problem, retry } = useRead(listUndelivered);
  if (!found) return <Waiting problem={problem} retry={retry} />;
  const { emails } = found;
  if (emails.length === 0) return <p>All emails have been delivered since.</p>;
  return (
    <ul>
      {emails.map((email) => (
        <li key={email.id}>
          <strong>{nameOf(email)}</strong> to {email.recipient || 'the office'}, {dateTime(email.created_at)}.{' '}
          {email.error} {email.request ? <a href={hrefOf(email.request)}>Open the request</a> : null}
        </li>
      ))}
    </ul>
  );
}

/** `office_address` is "Office address". */
function nameOf({ kind }: UndeliveredEmail): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;
}
