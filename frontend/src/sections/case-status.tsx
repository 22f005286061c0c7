// The status page of a request. It is not in the route manifest and loads no script: the server
// replaces `{{case.KEY}}` and keeps the elements whose `data-case` names the state of the request
// (src/site/status_page.rs).
import { company } from '../company';
import { Button, ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';
import { PageHead } from './page-head';

/** What to say in each state: a heading and the sentence that matters. */
const states = [
  ['waiting', 'We are on it', 'Someone from our office will call or email you by {{case.due}}.'],
  [
    'overdue',
    'We owe you an answer',
    'We promised it by {{case.due}} and are late. Please call us, so we can help you right away.',
  ],
  [
    'answered',
    'We have answered',
    'We called or emailed you on {{case.answered}}. If we did not reach you, check your spam folder or call us.',
  ],
  ['call-waiting', 'We will call you', 'We will call you by {{case.due}}. If you cannot wait, call us now.'],
  [
    'call-overdue',
    'We owe you a call',
    'We promised it by {{case.due}} and have not reached you. Please call us, so we can help you right away.',
  ],
  [
    'call-emailed',
    'We have not reached you by phone',
    'We emailed you on {{case.emailed}} and will try to call again. You can call us at any hour.',
  ],
  [
    'called',
    'We have called you',
    'We called you on {{case.answered}}. If you have more questions, call us again.',
  ],
  ['closed', 'This request is closed', 'If you still need us, please call us or send a new request.'],
] as const;

/** The last step of the timeline, by its states. The server writes those before. */
const steps = [
  ['waiting', 'Answer promised', 'by {{case.due}}'],
  ['call-waiting', 'Call promised', 'by {{case.due}}'],
  ['overdue', 'Answer was promised', 'by {{case.due}}'],
  ['call-overdue', 'Call was promised', 'by {{case.due}}'],
  ['closed', 'Closed', 'No further steps'],
] as const;

/** What the server says after the visitor has sent something; it keeps one of them, or none. */
const notes = [
  ['sent', 'Your message has reached our office. We will answer by email or phone.'],
  ['settled', 'Thank you. We will not write to you again about this, unless you write to us.'],
  ['empty', 'Please type your message first.'],
  ['long', 'Please shorten your message to 2,000 characters. Nothing was sent.'],
  ['too-many', 'Too many messages in a short time. Please wait a few minutes, then send it again.'],
  ['failed', 'We could not take your message just now. Please send it again, or call us.'],
] as const;

const done = ['closed'];

export function CaseStatus() {
  return (
    <>
      <PageHead title="Your request {{case.reference}}" lead="Here is where it stands." />
      <div className="band">
        <div className="column case-status">
          <div className="case-now">
            {states.map(([state, title, text]) => (
              <div key={state} data-case={state}>
                <h2>{title}</h2>
                <p className="case-sentence">{text}</p>
              </div>
            ))}
            <p className="actions">
              <ButtonLink href={company.phone_href}>
                <Icon name="phone" />
                {`Call ${company.phone}`}
              </ButtonLink>
            </p>
            <p>Give us your reference, {'{{case.reference}}'}, so we can find your request right away.</p>
          </div>
          <ol className="case-steps">
            <li className="case-step done">
              <strong>Received</strong>
              <span>{'{{case.received}}'}</span>
            </li>
            <li data-steps />
            {steps.map(([state, title, time]) => (
              <li
                key={state}
                data-case={state}
                className={done.includes(state) ? 'case-step done' : 'case-step'}
              >
                <strong>{title}</strong>
                <span>{time}</span>
              </li>
            ))}
          </ol>
          <div className="case-write">
            <h2 className="case-heading">Write to us</h2>
            {notes.map(([note, text]) => (
              <p key={note} className="case-note" data-note={note} role="status">
                {text}
              </p>
            ))}
            <form method="post" action="{{case.path}}">
              <label htmlFor="case-text">Your message</label>
              <textarea id="case-text" name="text" rows={5} maxLength={2000} required>
                {'{{case.text}}'}
              </textarea>
              <Button type="submit">Send message</Button>
            </form>
            <form method="post" action="{{case.path}}">
              <p>Do you need nothing more from us?</p>
              <Button type="submit" name="settled" value="yes" look="quiet">
                This is settled
              </Button>
            </form>
          </div>
        </div>
      </div>
    </>
  );
}
