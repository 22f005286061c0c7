// Who is on call: now and in the next weeks, the shifts, overrides, phone numbers, alarms, and
// webhooks.
import { useCallback, useEffect, useState } from 'react';
import { type OnCallState, readOnCall, renewCalendar } from '../../api/on-call';
import { Button } from '../../ui/button';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { copyText } from '../ui/save-file';
import { useInTurn } from '../ui/use-attempt';
import { errorMessage } from '../ui/use-submit';
import { Waiting } from '../ui/waiting';
import { Alarms, useAlarms } from './alarms';
import { Overrides } from './overrides';
import type { Change } from './people';
import { Phones } from './phones';
import { Schedule } from './schedule';
import { Shifts } from './shifts';
import { Webhooks } from './webhooks';
import type { DayRange } from './week-strip';

export function OnCall() {
  const { manager, isAdmin } = useAuth();
  const [state, setState] = useState<OnCallState>();
  const [alert, setAlert] = useState('');
  const alarms = useAlarms();
  const [chosen, setChosen] = useState<DayRange>();

  const inTurn = useInTurn();
  const change: Change = useCallback(
    (job) =>
      inTurn(async () => {
        try {
          setState(await manager.withToken(job));
          return '';
        } catch (error) {
          return errorMessage(error);
        }
      }),
    [manager, inTurn],
  );
  const load = useCallback(() => void change(readOnCall).then(setAlert), [change]);
  useEffect(load, [load]);

  return (
    <div className="account on-call">
      <Heading>On call</Heading>
      {state ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={load} />}
      {state ? (
        <>
          {state.spans.length > 0 || !isAdmin ? (
            <Schedule state={state} choose={isAdmin ? setChosen : undefined} />
          ) : null}
          {isAdmin ? <Shifts state={state} change={change} /> : null}
          <Alarms people={state.people} store={alarms} />
          {isAdmin ? (
            <>
              <Overrides state={state} change={change} chosen={chosen} />
              <Phones state={state} change={change} alarms={alarms} />
            </>
          ) : null}
          <Calendar path={state.calendar} change={change} />
          {isAdmin ? <Webhooks /> : null}
        </>
      ) : null}
    </div>
  );
}

function Calendar({ path, change }: { path: string; change: Change }) {
  const { isAdmin } = useAuth();
  const [alert, setAlert] = useState('');
  const address = new URL(path, location.origin).href;
  const copy = () => copyText(address, 'The address of the calendar', 'Select the address and copy it.');
  return (
    <section aria-labelledby="calendar-title">
      <h2 id="calendar-title">Calendar</h2>
      <p>Add this address to your calendar app. Anyone who has it can see the schedule.</p>
      <p className="secret">{address}</p>
      <FormAlert text={alert} />
      <div className="actions">
        <Button look="line" onClick={copy}>
          Copy
          <span className="visually-hidden"> the address of the calendar</span>
        </Button>
        {isAdmin ? (
          <Button look="line" onClick={async () => setAlert(await change(renewCalendar))}>
            New address
          </Button>
        ) : null}
      </div>
    </section>
  );
}
