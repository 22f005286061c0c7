// An event of a request's history as a sentence. The server stores the events; this file has the
// words.
import type { HistoryEvent, Person } from '../../../api/inbox';
import { describeOfferEvent } from '../../offers/words';
import {
  ago,
  dateTime,
  durationLabel,
  type OutcomeName,
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

const outcomes: Record<string, string> = {
  reached: 'Called and reached the customer',
  voicemail: 'Called and left a voicemail',
  no_answer: 'Called, no answer',
};

/** Events of which there is no more to say. */
const plain: Record<string, string> = {
  received: 'Received',
  made_quote: 'Made a quote request of this contact message',
  note_deleted: 'Deleted a note',
  follow_up_due: 'To be followed up now',
  settled: 'The customer says that this is settled',
  set_aside: 'Set the message aside: no answer needed',
  emailed_in: 'Made this request of an email',
  marked_spam: 'Marked it as spam',
  held: 'Held as possible spam',
  released: 'Released',
  discarded: 'Discarded',
  acknowledged: 'Acknowledged the alarm',
  passed_on: 'Passed the alarm on to the next person',
};

export function describeEvent({ verb, detail, actor }: HistoryEvent, now: number): EventText {
  const fields = (detail ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '');
  switch (verb) {
    case 'moved':
      return move(fields, text('from'), text('to'));
    case 'assigned':
      return { text: assignment(fields.from as Person | null, fields.to as Person | null, actor) };
    case 'edited':
      return edit(fields as EditedFields);
    case 'noted':
      return fields.deleted
        ? { text: 'Wrote a note, which is deleted' }
        : { text: 'Note', body: text('text') };
    case 'file_added':
      return { text: `${actor ? 'Added' : 'The customer added'} the file ${text('name')}` };
    case 'file_replaced':
      return { text: `Replaced the file ${text('name')}` };
    case 'file_deleted':
      return { text: `Deleted the file ${text('name')} for good` };
    case 'file_removed':
      return { text: `Removed the file ${text('name')}` };
    case 'called':
      return {
        text: [outcomes[text('outcome')] ?? 'Called', reminder(fields.follow_up)].filter(Boolean).join(', '),
        body: text('note'),
      };
    case 'follow_up_set':
      return { text: capitalized(reminder(fields) || 'ended the reminder') };
    case 'outcome_set':
      return outcome(fields.to as StoredOutcome | null);
    case 'wrote':
      return { text: wrote(fields) };
    case 'auto_replied':
      if (fields.ours) return { text: `An email of ours came back: ${text('subject')}` };
      return { text: `${isComplaint(fields) ? 'Spam report' : 'Automatic reply'}: ${text('subject')}` };
    case 'bounced':
      return { text: `An email to ${text('to')} came back`, delivery: text('error'), failed: true };
    case 'forwarded':
      return { text: `Forwarded a message to ${text('to')}`, ...delivery(fields, now) };
    case 'replied':
      return {
        text: `Replied: ${text('subject')}`,
        body: [text('text'), text('signature')].filter(Boolean).join('\n\n'),
        ...delivery(fields, now),
      };
    case 'emailed':
      return { text: `Email to ${text('to') || 'the office'}`, ...delivery(fields, now) };
    case 'undone':
      return { text: `Undid: ${undoneTexts[text('verb')] ?? text('verb')}` };
    case 'phoned':
      return { text: ['Took this request by phone', promise(fields)].filter(Boolean).join(', ') };
    case 'merged':
      return { text: `Merged ${text('reference')} into it` };
    case 'merged_into':
      return { text: `Merged into ${text('reference')}` };
    case 'separated':
      return { text: `Separated ${text('reference')}` };
    case 'separated_from':
      return { text: `Separated from ${text('reference')}` };
    case 'alarmed':
      return {
        text: `Alarm to ${text('to') || 'somebody'} ${channels[text('channel')] ?? ''}`.trim(),
        ...delivery(fields, now),
      };
    case 'escalated':
      return {
        text: fields.message
          ? 'The office was reminded: the last message is not answered'
          : 'The office was reminded: this is overdue',
      };
    default: {
      const offer = describeOfferEvent(verb, fields);
      return offer ? { ...offer, ...delivery(fields, now) } : { text: plain[verb] ?? statusText(verb) };
    }
  }
}

const channels: Record<string, string> = {
  push: 'by push',
  call: 'by phone',
  sms: 'by text message',
  email: 'by email',
};

const undoneTexts: Record<string, string> = {
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

/** The author of an email: the name, or else the address. */
function author({ name, from }: Record<string, unknown>): string {
  return ([name, from].find((it) => typeof it === 'string' && it) as string) ?? 'Somebody';
}

/** Whether an email reports one of ours as spam. */
const isComplaint = ({ marks }: Record<string, unknown>) =>
  Array.isArray(marks) && marks.includes('complaint');

/** How a message has come. */
function wrote(fields: Record<string, unknown>): string {
  if (fields.via === 'page') return 'The customer wrote on the status page';
  if (fields.via === 'offer') {
    return `The customer asked about offer ${fields.number}, version ${fields.version}`;
  }
  return `${author(fields)} wrote: ${typeof fields.subject === 'string' ? fields.subject : ''}`;
}

type EditedFields = { from?: Record<string, string>; to?: Record<string, string> };

/** What was corrected, with both values. */
function edit({ from = {}, to = {} }: EditedFields): EventText {
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
function promise(fields: Record<string, unknown>): string {
  if (fields.alarm) return 'which raised the alarm';
  return typeof fields.promise === 'string' ? `promised an answer for ${dateTime(fields.promise)}` : '';
}

const capitalized = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());

/** The reminder that an event has set, in words; empty if none. */
function reminder(change: unknown): string {
  const { to } = (change ?? {}) as { to?: { at: string } | null };
  return to ? `wants to be reminded on ${dateTime(to.at)}` : '';
}

type StoredOutcome = {
  outcome: OutcomeName;
  reason: string | null;
  words: string | null;
  cents: number | null;
  per: string | null;
};

function outcome(to: StoredOutcome | null): EventText {
  if (!to) return { text: 'Forgot the outcome' };
  const value = to.cents === null ? null : (to.cents / 100).toFixed(2);
  return { text: `Outcome: ${outcomeText(to, value)}`, body: to.words ?? '' };
}

/** A move, or a correction with its reason. */
function move(
  { correction, reason, assignee, offer }: Record<string, unknown>,
  from: string,
  to: string,
): EventText {
  const moved = `from ${statusText(from)} to ${statusText(to)}`;
  if (offer) return { text: `Offer ${offer} was accepted: moved ${moved}` };
  if (!correction) return { text: `Moved ${moved}${assignee ? ', and took the request' : ''}` };
  return { text: `${correction === 'reopen' ? 'Reopened' : 'Withdrew'} it, ${moved}`, body: String(reason) };
}

function assignment(
  from: Person | null | undefined,
  to: Person | null | undefined,
  actor: Person | null | undefined,
) {
  if (to) return to.id === actor?.id ? 'Took the request' : `Assigned it to ${personName(to)}`;
  return from && from.id === actor?.id ? 'Gave the request back' : 'Assigned it to nobody';
}

function delivery(fields: Record<string, unknown>, now: number): Partial<EventText> {
  const { state, at, error, email_id: id } = fields;
  if (state === 'delivered')
    return { delivery: typeof at === 'string' ? `Delivered ${ago(at, now)}` : 'Delivered' };
  if (state === 'failed') {
    const emailId = id === undefined || id === null ? {} : { emailId: String(id) };
    return { delivery: `Failed: ${error || 'the mail server did not accept it'}`, failed: true, ...emailId };
  }
  if (state === 'not_needed') return { delivery: 'Not needed any more' };
  if (state === 'undone') return { delivery: 'Undone, not sent' };
  return state === 'queued' ? { delivery: 'Waiting to be sent' } : {};
}
