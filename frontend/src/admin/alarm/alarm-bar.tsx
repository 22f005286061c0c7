// The emergencies that wait, in one bar: what, where, who, since when; a call, or taking it.
import { useEffect, useRef, useState } from 'react';
import { changeRequest, type RequestItem } from '../../api/inbox';
import { toast } from '../../ui/toast';
import { customer, elapsed, serviceLabel, telLink } from '../requests/format';
import { useAuth } from '../session/provider';
import { useNow } from '../ui/use-polling';
import { useJob } from '../ui/use-submit';
import { useAlarms } from './alarm-provider';

type HrefOf = (request: string) => string;

/** Milliseconds in which a press was meant for what a bar of several lines has covered. */
const settling = 400;
/** The height of its place, in pixels: nothing is covered by a bar of one line. */
const oneLine = 46;

export function AlarmBar({ hrefOf }: { hrefOf: HrefOf }) {
  const { emergencies } = useAlarms();
  const [listed, setListed] = useState(false);
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = Date.now();
  }, []);
  const [first, ...others] = emergencies;
  if (!first) return null;
  const shown = listed ? emergencies : [first];
  const count = emergencies.length;
  return (
    <div
      className="alarm-bar"
      onClickCapture={(event) => {
        // A key is pressed on what has the focus.
        const isMeant = event.detail === 0 || event.currentTarget.offsetHeight <= oneLine;
        if (isMeant || Date.now() - shownAt.current > settling) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <strong className="alarm-word">
        {count > 1 ? `${count.toLocaleString('en-US')} EMERGENCIES` : 'EMERGENCY'}
      </strong>
      <ul>
        {shown.map((request) => (
          <Emergency key={request.id} request={request} hrefOf={hrefOf} />
        ))}
      </ul>
      {others.length ? (
        <button
          type="button"
          className="alarm-button"
          aria-expanded={listed}
          onClick={() => setListed(!listed)}
        >
          {listed ? 'Show one' : `${others.length} more`}
        </button>
      ) : null}
      <Silence />
    </div>
  );
}

/** Says that the alarm is not heard here. */
function Silence() {
  const { sound, switchSound } = useAlarms();
  if (sound === 'blocked') return <span className="alarm-silence">Sound is blocked: press anywhere.</span>;
  if (sound !== 'off') return null;
  return (
    <button
      type="button"
      className="strip-button alarm-silence"
      aria-label="Sound is off: switch it on"
      onClick={() => switchSound(true)}
    >
      Sound is off
    </button>
  );
}

function Emergency({ request, hrefOf }: { request: RequestItem; hrefOf: HrefOf }) {
  const now = useNow();
  const place = [serviceLabel(request), request.location].filter(Boolean).join(', ');
  const name = customer(request);
  const age = elapsed(request.created_at, now);
  return (
    <li>
      <a href={hrefOf(request.id)} title={place}>
        <strong>{place}</strong>
      </a>
      <span className="alarm-who">
        <span>{name}</span> <span className="alarm-age">{age === 'now' ? 'just now' : `for ${age}`}</span>
      </span>
      {request.phone ? (
        <a
          className="alarm-button"
          href={telLink(request.phone)}
          aria-label={`Call ${request.phone}, ${name}`}
        >
          Call<span className="alarm-phone"> {request.phone}</span>
        </a>
      ) : null}
      <TakeIt request={request} href={hrefOf(request.id)} />
    </li>
  );
}

function TakeIt({ request, href }: { request: RequestItem; href: string }) {
  const { manager } = useAuth();
  const { readEmergencies } = useAlarms();
  const { busy, run } = useJob('Not taken');
  const take = async () => {
    await run(async () => {
      await manager.withToken(changeRequest, request.id, { assignee: 'me' });
      toast({
        title: `${request.reference} is yours`,
        detail: (
          <>
            {customer(request)}. <a href={href}>Open it</a>
          </>
        ),
        duration: 10_000,
      });
    });
    readEmergencies();
  };
  return (
    <button
      type="button"
      className="alarm-button alarm-take"
      aria-label={`Take it: ${customer(request)}`}
      aria-disabled={busy}
      onClick={() => busy || take()}
    >
      Take it
    </button>
  );
}
