// The status page of a request. It is not in the route manifest and loads no script: the server
// replaces `{{case.KEY}}` and keeps the elements whose `data-case` names the state of the request
// (src/site/case_page.rs).
import { company } from '../company';
import { ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';
import { PlainPage } from './plain-page';

/** The elements to show in each state. */
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
  ['closed', 'This request is closed', 'If you still need us, please call us or send a new request.'],
] as const;

const facts = [
  ['Received', '{{case.received}}'],
  ['Answer promised by', '{{case.due}}'],
  ['Answered', '{{case.answered}}'],
] as const;

export function CaseStatus() {
  return (
    <PlainPage title="Your request {{case.reference}}" lead="Where it stands now.">
      {states.map(([state, title, text]) => (
        <div key={state} data-case={state}>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
      ))}
      <dl className="licenses">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>Questions, or something to add? Call us at any hour and give us your reference.</p>
      <p className="actions">
        <ButtonLink href={company.phone_href}>
          <Icon name="phone" />
          {`Call ${company.phone}`}
        </ButtonLink>
      </p>
    </PlainPage>
  );
}
