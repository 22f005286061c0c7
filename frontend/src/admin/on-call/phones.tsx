// How each person is reached: a number, and the devices that they have switched on; and a test of
// it with its result.
import { type OnCallPerson, type OnCallState, setPhone, testAlarm } from '../../api/on-call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { personName } from '../requests/format';
import { FormAlert } from '../ui/auth-card';
import { FormFault, useSubmit } from '../ui/use-submit';
import { type AlarmStore, testResult } from './alarms';
import type { Change } from './people';

type Props = { state: OnCallState; change: Change; alarms: AlarmStore };

export function Phones({ state, change, alarms }: Props) {
  return (
    <section aria-labelledby="phones-title">
      <h2 id="phones-title">People</h2>
      <p className="muted">
        {state.calls
          ? 'Numbers are called when no one has acknowledged an alarm.'
          : 'No phone provider is set up: numbers are stored, but no one is called.'}
      </p>
      <FormAlert text={alarms.alert} />
      <ul className="things">
        {state.people.map((person) => (
          <li key={person.id}>
            <span>
              <strong>{personName(person)}</strong>
              <span className={person.devices || (person.phone && state.calls) ? 'muted' : 'reach-none'}>
                {reachText(person, state.calls)}
              </span>
              <span className="muted" role="status">
                {testResult(alarms.alarms, state.people, person.id)}
              </span>
            </span>
            <PhoneNumber {...{ person, change, alarms }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type NumberProps = Omit<Props, 'state'> & { person: OnCallPerson };

function PhoneNumber({ person, change, alarms }: NumberProps) {
  const name = personName(person);
  const saving = useSubmit({
    keep: `number ${person.id}`,
    check: () => ({}),
    async send({ phone = '' }) {
      const problem = await change((token) => setPhone(token, person.id, phone));
      if (problem) throw new FormFault(problem);
      toast({ title: 'Saved', detail: name });
    },
  });
  return (
    <form {...saving.form} className="shift">
      <label>
        <span className="visually-hidden">{`Number of ${name}`}</span>
        <input
          className="input"
          type="tel"
          name="phone"
          defaultValue={person.phone ?? ''}
          placeholder="No number"
        />
      </label>
      <Button type="submit" look="line">
        Save
        <span className="visually-hidden">{` the number of ${name}`}</span>
      </Button>
      <Button look="quiet" onClick={() => alarms.change((token) => testAlarm(token, person.id))}>
        Send a test
        <span className="visually-hidden">{` to ${name}`}</span>
      </Button>
      <FormAlert text={saving.alert} />
    </form>
  );
}

/** By which ways alarms reach a person. */
function reachText({ devices, phone }: OnCallPerson, calls: boolean): string {
  if (!devices && !(phone && calls)) {
    const why = phone ? 'No device' : 'No device and no number';
    return `${why}: alarms come by email only.`;
  }
  const on = devices
    ? `${devices} ${devices === 1 ? 'device gets' : 'devices get'} notifications`
    : 'No device';
  return phone && calls ? `${on}; the number is called` : on;
}
