// The user's sessions on all devices, and buttons to end them.

import { endSession, listSessions, type OwnSession } from '../../api/auth';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { useReadAgain } from '../session/use-read';
import { FormAlert } from '../ui/auth-card';
import { Waiting } from '../ui/waiting';

export function Sessions() {
  const { manager } = useAuth();
  const { found, alert, retry, change: changeThem } = useReadAgain(listSessions);

  const change = (job: () => Promise<unknown>, done: string) =>
    changeThem(async () => {
      await job();
      toast({ title: done });
    });

  const end = ({ id }: OwnSession) => change(() => manager.withToken(endSession, id), 'Session ended');

  return (
    <section aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      {found ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={retry} />}
      <ul className="things">
        {found?.sessions.map((session) => (
          <li key={session.id}>
            <span>
              <strong>{describeUserAgent(session.user_agent ?? '')}</strong>
              {session.current ? <span className="here"> This session</span> : null}
              <span className="muted">{`Last used ${dateTime(session.refreshed_at)}`}</span>
            </span>
            {session.current ? null : (
              <Button
                look="line"
                aria-label={`End the session on ${describeUserAgent(session.user_agent ?? '')}`}
                onClick={() => end(session)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button
          look="line"
          onClick={() => change(() => manager.signOut('others'), 'All other sessions ended')}
        >
          End all others
        </Button>
        <Button look="line" onClick={() => change(() => manager.signOut('global'), 'Signed out')}>
          End all, this one too
        </Button>
      </div>
    </section>
  );
}

// Turns a User-Agent header into a short readable description.

const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Order matters: most browsers also claim to be the ones below them. */
const browsers: [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
];

/** `Firefox on Windows`, or the part of it that is known. */
export function describeUserAgent(agent: string): string {
  const named = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = named(browsers);
  const system = named(systems);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
