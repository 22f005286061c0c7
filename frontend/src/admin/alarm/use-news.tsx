// Tells of other events than emergencies, each once: a tone, a notification, and a message to the
// person whom an assignment or a reminder is for.

import { useEffect, useMemo, useRef } from 'react';
import { listPeople, type RequestItem, readRequest } from '../../api/inbox';
import { toast } from '../../ui/toast';
import { useConnection } from '../live/live-provider';
import type { LiveChange, LiveEvent } from '../live/live-stream';
import { formatDeskUrl, type View } from '../requests/desk-url';
import { customer, personName } from '../requests/format';
import { useAuth } from '../session/provider';
import { coalesce } from '../ui/use-attempt';
import { notify } from './emergencies';
import { isOn } from './sound';
import type { ToneKind } from './tones';

type News = Exclude<ToneKind, 'emergency'>;

/** The verbs of visitors that are announced, the most important first. */
const kinds: Record<string, News> = { accepted: 'offer', wrote: 'message', received: 'request' };

const words: Record<News, [title: string, body: string]> = {
  request: ['New request', 'A new request has arrived.'],
  message: ['New message', 'A customer has written.'],
  offer: ['Offer accepted', 'A customer has accepted an offer.'],
  assigned: ['Assigned to you', 'A colleague has assigned a request to you.'],
  reminder: ['Reminder', 'A reminder of yours is due.'],
};

/** Milliseconds in which changes are collected for one message. */
const pause = 300;

/** Milliseconds that a message for one person stays: the person may be on the phone. */
const duration = 30_000;

/** Requests that are read for one tone, in a flood. */
const maxReads = 5;

export function useNews(ring: (kind: ToneKind) => void) {
  const { manager, user } = useAuth();
  const { follow, leads } = useConnection();
  const me = useRef(user?.id);
  me.current = user?.id;

  const tell = useMemo(() => {
    const say = (kind: News) => {
      ring(kind);
      const [title, body] = words[kind];
      notify({ title, body, tag: kind });
    };
    const read = (id: string) => manager.withToken(readRequest, id).catch(() => undefined);
    return {
      /** A flood gives a few tones, and a few requests are read for it. */
      ofVisitors: coalesce<LiveChange>(async (changes) => {
        const told = await Promise.all(
          changes.slice(0, maxReads).map(async ({ id, verb }) => {
            const request = await read(id);
            // A new emergency has the alarm.
            const isAlarm = verb === 'received' && request?.emergency_contact;
            return request && !request.held && !isAlarm ? verb : undefined;
          }),
        );
        const verb = Object.keys(kinds).find((verb) => told.includes(verb));
        if (verb) say(kinds[verb] as News);
      }),
      /** Emails that belong to no request. */
      ofEmails: collect<LiveEvent>(() => say('message')),
      assigned: collect(async (changes) => {
        const [first] = changes;
        const request = await read(first.id);
        const people = await manager.withToken(listPeople).catch(() => undefined);
        const by = people?.people.find(({ id }) => id === first.actor_id);
        const title = `${by ? personName(by) : 'A colleague'} has assigned to you`;
        tellMine(title, 'mine', changes.length, request);
        if (leads()) say('assigned');
      }),
      reminders: collect(async (changes) => {
        const request = await read(changes[0].id);
        const title = changes.length === 1 ? 'Your reminder is due' : 'Your reminders are due';
        tellMine(title, 'attention', changes.length, request);
        if (leads()) say('reminder');
      }),
    };
  }, [manager, leads, ring]);

  useEffect(
    () =>
      follow((event) => {
        if (event.type === 'email' && leads()) tell.ofEmails(event);
        if (event.type !== 'change') return;
        const isMine = (id: string | undefined) => id !== undefined && id === me.current;
        if (isMine(event.assignee_id) && event.actor_id !== me.current) tell.assigned(event);
        else if (isMine(event.reminds_id)) tell.reminders(event);
        else if (event.verb in kinds && leads() && (isOn('sound') || isOn('notification')))
          tell.ofVisitors([event]);
      }),
    [follow, leads, tell],
  );
}

/** Runs `job` with the changes that come within a short time, as after a bulk change. */
function collect<T = LiveChange>(job: (changes: [T, ...T[]]) => void): (change: T) => void {
  let waiting: T[] = [];
  const run = () => {
    const [first, ...others] = waiting;
    waiting = [];
    if (first) job([first, ...others]);
  };
  return (change) => {
    if (waiting.length === 0) setTimeout(run, pause);
    waiting.push(change);
  };
}

/** The server names at most this many of one change. */
const mostNamed = 60;

/** The words of a message about `count` requests; `request` is the first. */
function requestsText(count: number, request: RequestItem | undefined): string {
  if (count > mostNamed) return `More than ${mostNamed} requests`;
  if (count > 1) return `${count.toLocaleString('en-US')} requests`;
  return request ? `${request.reference}, ${customer(request)}` : 'A request';
}

/** The message to the person whom changes are for, with the way to the requests in their view. */
function tellMine(title: string, view: View, count: number, request: RequestItem | undefined) {
  const isOne = count === 1;
  const href = formatDeskUrl({ view, filters: {}, request: isOne ? request?.id : undefined });
  toast({
    title,
    detail: (
      <>
        {requestsText(count, request)}. <a href={href}>{isOne ? 'Open it' : 'Show them'}</a>
      </>
    ),
    duration,
  });
}
