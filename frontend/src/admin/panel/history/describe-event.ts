// An event of a request's history as a sentence. The server stores the events; this file has the
// words.
import type { Delivery, EventOf, HistoryEvent, Person, Verb } from '../../../api/inbox';
import { dayText, valueText } from '../../offers/words';
import {
  ago,
  dateTime,
  durationLabel,
  outcomeText,
  personName,
  services,
  statusText,
} from '../../requests/format';
import { fieldLabels } from '../edit-form';

export type EventText = {
  /** What happened; who did it is shown beside it. */
  text: string;
  /** Words of a note or a reply. */
  body?: string;
  /** The state of the email of a reply or notice. */
  delivery?: string;
  failed?: boolean;
  /** The email that can be sent again. */
  emailId?: string;
};

const outcomes: Record<EventOf<'called'>['detail']['outcome'], string> = {
  reached: 'Called and reached the customer',
  voicemail: 'Called and left a voicemail',
  no_answer: 'Called, no answer',
};

export function describeEvent(event: HistoryEvent, now: number): EventText {
  const { actor } = event;
  switch (event.verb) {
    case 'received':
      return { text: 'Received' };
    case 'moved':
      return move(event.detail);
    case 'assigned':
      return { text: assignment(event.detail, actor) };
    case 'edited':
      return edit(event.detail);
    case 'made_quote':
      return { text: 'Made a quote request of this contact message' };
    case 'noted':
      return event.detail.deleted
        ? { text: 'Wrote a note, which is deleted' }
        : { text: 'Note', body: event.detail.text ?? '' };
    case 'note_deleted':
      return { text: 'Deleted a note' };
    case 'file_added':
      return { text: `${actor ? 'Added' : 'The customer added'} the file ${event.detail.name}` };
    case 'file_replaced':
      return { text: `Replaced the file ${event.detail.name}` };
    case 'file_deleted':
      return { text: `Deleted the file ${event.detail.name} for good` };
    case 'file_removed':
      return { text: `Removed the file ${event.detail.name}` };
    case 'called': {
      const { outcome, note, follow_up } = event.detail;
      return {
        text: [outcomes[outcome] ?? 'Called', reminder(follow_up)].filter(Boolean).join(', '),
        body: note ?? '',
      };
    }
    case 'follow_up_set':
      return { text: capitalized(reminder(event.detail) || 'ended the reminder') };
    case 'follow_up_due':
      return { text: 'To be followed up now' };
    case 'outcome_set':
      return outcome(event.detail.to);
    case 'wrote':
      return { text: wrote(event.detail) };
    case 'auto_replied': {
      const { ours, marks, subject = '' } = event.detail;
      if (ours) return { text: `An email of ours came back: ${subject}` };
      const what = marks?.includes('complaint') ? 'Spam report' : 'Automatic reply';
      return { text: `${what}: ${subject}` };
    }
    case 'settled':
      return { text: 'The customer says that this is settled' };
    case 'set_aside':
      return { text: 'Set the message aside: no answer needed' };
    case 'emailed_in':
      return { text: 'Made this request of an email' };
    case 'bounced':
      return {
        text: `An email to ${event.detail.to} came back`,
        delivery: event.detail.error,
        failed: true,
      };
    case 'forwarded':
      return { text: `Forwarded a message to ${event.detail.to}`, ...delivery(event.detail, now) };
    case 'replied':
      return {
        text: `Replied: ${event.detail.subject}`,
        body: [event.detail.text, event.detail.signature].filter(Boolean).join('\n\n'),
        ...delivery(event.detail, now),
      };
    case 'emailed':
      return { text: `Email to ${event.detail.to || 'the office'}`, ...delivery(event.detail, now) };
    case 'undone':
      return { text: `Undid: ${undoneTexts[event.detail.verb] ?? event.detail.verb}` };
    case 'phoned':
      return { text: ['Took this request by phone', promise(event.detail)].filter(Boolean).join(', ') };
    case 'held':
      return { text: 'Held as possible spam' };
    case 'marked_spam':
      return { text: 'Marked it as spam' };
    case 'released':
      return { text: 'Released' };
    case 'discarded':
      return { text: 'Discarded' };
    case 'merged':
      return { text: `Merged ${event.detail.reference} into it` };
    case 'merged_into':
      return { text: `Merged into ${event.detail.reference}` };
    case 'separated':
      return { text: `Separated ${event.detail.reference}` };
    case 'separated_from':
      return { text: `Separated from ${event.detail.reference}` };
    case 'alarmed': {
      const { to, channel } = event.detail;
      return { text: `Alarm to ${to || 'somebody'} ${channels[channel]}`, ...delivery(event.detail, now) };
    }
    case 'acknowledged':
      return { text: 'Acknowledged the alarm' };
    case 'passed_on':
      return { text: 'Passed the alarm on to the next person' };
    case 'escalated':
      return {
        text: event.detail.message
          ? 'The office was reminded: the last message is not answered'
          : 'The office was reminded: this is overdue',
      };
    case 'offer_sent': {
      const { valid_until: day } = event.detail;
      const sent = `Sent ${offer(event.detail)}: ${valueText(event.detail)}, valid until ${dayText(day)}`;
      return { text: sent, ...delivery(event.detail, now) };
    }
    case 'offer_withdrawn':
      return { text: `Withdrew ${offer(event.detail)}`, body: event.detail.reason ?? '' };
    case 'offer_accepted': {
      const { name, reason } = event.detail;
      const by = name ? `, by ${name}` : '';
      return {
        text: `Accepted ${offer(event.detail)}: ${valueText(event.detail)}${by}`,
        body: reason ?? '',
      };
    }
    case 'offer_confirmed':
      return { text: `Confirmed ${offer(event.detail)}: staffed` };
    case 'offer_opened':
      return { text: `The customer reads ${offer(event.detail)}` };
    case 'offer_declined':
      return { text: `Declined ${offer(event.detail)}`, body: event.detail.reason ?? '' };
    case 'offer_expired':
      return { text: `No answer in time: ${offer(event.detail)}` };
    case 'offer_reminded':
      return { text: `Reminded the customer of ${offer(event.detail)}` };
    default:
      // A newer server has a verb more.
      return { text: statusText((event satisfies never as HistoryEvent).verb) };
  }
}

const channels: Record<EventOf<'alarmed'>['detail']['channel'], string> = {
  push: 'by push',
  call: 'by phone',
  sms: 'by text message',
  email: 'by email',
};

const undoneTexts: Partial<Record<Verb, string>> = {
  moved: 'the move',
  edited: 'the change of details',
  made_quote: 'the change to a quote request',
  assigned: 'the assignment',
  called: 'the logged call',
  replied: 'the reply, which was not sent',
  offer_sent: 'the offer, which was not sent',
  offer_confirmed: 'the confirmation of the offer',
  set_aside: 'that no answer is needed',
  discarded: 'the discard',
  released: 'the release',
  marked_spam: 'the mark as spam',
  merged: 'the merge',
  note_deleted: 'the deletion of a note',
  file_added: 'the adding of a file',
  file_removed: 'the removal of a file',
  follow_up_set: 'the change of the reminder',
  outcome_set: 'the outcome',
};

const offer = ({ number, version }: { number: string; version: number }) =>
  `offer ${number}, version ${version}`;

/** How a message has come. */
function wrote({ via, number, version, name, from, subject = '' }: EventOf<'wrote'>['detail']): string {
  if (via === 'page') return 'The customer wrote on the status page';
  if (via === 'offer')
    return `The customer asked about ${offer({ number: number ?? '', version: version ?? 0 })}`;
  return `${name || from || 'Somebody'} wrote: ${subject}`;
}

/** What was corrected, with both values. */
function edit({ from, to }: EventOf<'edited'>['detail']): EventText {
  const names = Object.keys(to).map((field) => fieldLabels[field] ?? statusText(field));
  const words = (field: string, value = '') => {
    const known = field === 'service' && services.find((option) => option.value === value);
    return (known ? known.label : field === 'duration' ? durationLabel(value) : value) || 'nothing';
  };
  const lines = Object.keys(to).map(
    (field, at) =>
      `${capitalized(names[at] ?? '')}: ${words(field, from[field])} → ${words(field, to[field])}`,
  );
  return { text: `Changed the ${new Intl.ListFormat('en-US').format(names)}`, body: lines.join('\n') };
}

/** What was promised on the phone, in words. */
function promise({ alarm, promise: at }: EventOf<'phoned'>['detail']): string {
  if (alarm) return 'which raised the alarm';
  return at ? `promised an answer for ${dateTime(at)}` : '';
}

const capitalized = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());

/** The reminder that an event has set, in words; empty if none. */
function reminder(change: EventOf<'follow_up_set'>['detail'] | null | undefined): string {
  return change?.to ? `wants to be reminded on ${dateTime(change.to.at)}` : '';
}

function outcome(to: EventOf<'outcome_set'>['detail']['to']): EventText {
  if (!to) return { text: 'Forgot the outcome' };
  const value = to.cents == null ? null : (to.cents / 100).toFixed(2);
  return { text: `Outcome: ${outcomeText(to, value)}`, body: to.words ?? '' };
}

/** A move, or a correction with its reason. */
function move({ from, to, correction, reason, assignee, offer }: EventOf<'moved'>['detail']): EventText {
  const moved = `from ${statusText(from)} to ${statusText(to)}`;
  if (offer) return { text: `Offer ${offer} was accepted: moved ${moved}` };
  if (!correction) return { text: `Moved ${moved}${assignee ? ', and took the request' : ''}` };
  return { text: `${correction === 'reopen' ? 'Reopened' : 'Withdrew'} it, ${moved}`, body: reason ?? '' };
}

function assignment({ from, to }: EventOf<'assigned'>['detail'], actor: Person | null | undefined) {
  if (to) return to.id === actor?.id ? 'Took the request' : `Assigned it to ${personName(to)}`;
  return from && from.id === actor?.id ? 'Gave the request back' : 'Assigned it to nobody';
}

function delivery({ state, at, error, email_id: id }: Delivery, now: number): Partial<EventText> {
  switch (state) {
    case 'queued':
      return { delivery: 'Waiting to be sent' };
    case 'delivered':
      return { delivery: at ? `Delivered ${ago(at, now)}` : 'Delivered' };
    case 'failed': {
      const emailId = id == null ? {} : { emailId: String(id) };
      return {
        delivery: `Failed: ${error || 'the mail server did not accept it'}`,
        failed: true,
        ...emailId,
      };
    }
    case 'not_needed':
      return { delivery: 'Not needed any more' };
    case 'undone':
      return { delivery: 'Undone, not sent' };
    default:
      return {};
  }
}
