// Notes, calls and replies: one form at a time under the customer's details.
import { useEffect, useRef } from 'react';
import { addNote, type CallOutcome, logCall, type RequestDetail, type RequestItem } from '../../api/inbox';
import { serverNow } from '../../api/server-clock';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { RemindForm } from '../follow-up/remind-form';
import { followUpTimes } from '../requests/follow-up-times';
import { customer, isOpen } from '../requests/format';
import { isWritten, readDraft } from '../state/drafts';
import { type ComposerForm, useActions, useDesk } from '../state/use-desk';
import { losesFocus } from '../state/use-row-focus';
import { focusOnce, Labeled } from '../ui/field';
import { FormFault } from '../ui/use-submit';
import { unansweredMessage } from './history/newest-message';
import { type FormProps, PanelForm, TextArea } from './panel-form';
import { ReplyForm } from './reply/reply-form';

const forms: [ComposerForm, string][] = [
  ['reply', 'Reply'],
  ['call', 'Log a call'],
  ['note', 'Add a note'],
  ['remind', 'Remind me'],
];

/** The buttons that open the forms. */
export function ComposerTabs({ request }: { request: RequestItem }) {
  const { open, form, openForm, closeForm } = useDesk();
  const drafts = open.detail?.drafts ?? [];
  const canRemind = isOpen(request) && !request.held;
  return forms
    .filter(([name]) => name !== 'reply' || request.email)
    .filter(([name]) => name !== 'remind' || canRemind)
    .map(([name, label]) => (
      <Button
        key={name}
        look="line"
        className="button-small"
        aria-expanded={form === name}
        onClick={() => (form === name ? closeForm : openForm)(name)}
      >
        {label}
        {form !== name && hasDraft(request.id, name, drafts) ? (
          <span className="draft-mark"> draft</span>
        ) : null}
      </Button>
    ));
}

/** Whether something was typed into a form and not sent. */
function hasDraft(request: string, form: ComposerForm, stored: RequestDetail['drafts']): boolean {
  return isWritten(readDraft(request, form, stored));
}

type Props = { request: RequestItem; detail: RequestDetail };

/** Has its own key for each form of each request: its box is gone when the form is. */
export function Composer({ request, detail }: Props) {
  const { drafts, history } = detail;
  const { form, closeForm, open, focusHeading } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const finish = () => {
    if (losesFocus(box.current)) focusHeading();
    if (form) closeForm(form);
    open.reload();
  };
  // After its first field has the focus: the foot of the panel would cover it, and the form what is
  // answered.
  useEffect(() => {
    if (!form || form === 'edit') return;
    showAbove(box.current);
    box.current?.scrollIntoView?.({ block: 'nearest' });
  }, [form]);
  if (!form || form === 'edit') return null;
  const shared = { request, drafts, done: finish };
  return (
    <div ref={box} className="composer">
      {form === 'note' ? <NoteForm {...shared} /> : null}
      {form === 'call' ? <CallForm {...shared} /> : null}
      {form === 'remind' ? <RemindForm request={request} done={finish} /> : null}
      {form === 'reply' ? (
        <ReplyForm {...shared} history={history} waiting={unansweredMessage(detail)} />
      ) : null}
    </div>
  );
}

/** What is left above it, in pixels. */
const gap = 12;

/** Shows the newest that was said, or what was asked for, above a form at the foot. */
function showAbove(form: HTMLElement | null) {
  const foot = form?.parentElement;
  if (!foot || getComputedStyle(foot).position !== 'sticky') return;
  const panel = foot.parentElement;
  const said =
    panel?.querySelector('.timeline :is(.from-customer, .from-us)') ?? panel?.querySelector('.panel-words');
  if (!panel || !said) return;
  // Beside the list the panel scrolls by itself: the page stays.
  if (getComputedStyle(panel).overflowY !== 'auto') said.scrollIntoView({ block: 'start' });
  else panel.scrollTop += said.getBoundingClientRect().top - panel.getBoundingClientRect().top - gap;
}

function NoteForm(props: FormProps) {
  const { request } = props;
  return (
    <PanelForm
      {...props}
      name="note"
      submit="Save note"
      send={async (token, { text = '' }) => {
        if (!text.trim()) throw new FormFault('Write the note first.');
        await addNote(token, request.id, text.trim());
        toast({ title: 'Note saved' });
      }}
    >
      {(draft) => <TextArea name="text" label="Note" hint="Only colleagues see it." draft={draft} focus />}
    </PanelForm>
  );
}

function afterCall({ emergency_contact }: RequestItem, outcome: string): string {
  if (outcome === 'reached')
    return emergency_contact ? 'The customer was reached.' : 'The customer is answered.';
  return emergency_contact ? 'The call is still due.' : 'The request still waits for an answer.';
}

const outcomes: [CallOutcome, string][] = [
  ['reached', 'Reached'],
  ['voicemail', 'Voicemail'],
  ['no_answer', 'No answer'],
];

function CallForm(props: FormProps) {
  const { request, done } = props;
  const { offer } = useActions();
  const urgent = request.awaits_call;
  const times = isOpen(request) ? followUpTimes(new Date(serverNow()), urgent) : [];
  return (
    <PanelForm
      {...props}
      name="call"
      submit="Save call"
      send={async (token, { outcome, note = '', remind = '' }) => {
        if (!outcome) throw new FormFault('Choose how the call ended.');
        const at = followUpTimes(new Date(serverNow()), urgent).find(({ label }) => label === remind)?.at;
        const { id: event } = await logCall(
          token,
          request.id,
          outcome as CallOutcome,
          note.trim(),
          at?.toISOString(),
        );
        offer('Call saved', afterCall(request, outcome), {
          id: request.id,
          event,
          undone: `The call to ${customer(request)} is no longer in the history.`,
          after: done,
        });
      }}
    >
      {(draft) => (
        <>
          <fieldset className="choices">
            <legend>How did the call end?</legend>
            {outcomes.map(([value, label], at) => (
              <label key={value} className="field-check">
                <input
                  type="radio"
                  name="outcome"
                  value={value}
                  defaultChecked={draft.outcome === value}
                  ref={at === 0 ? focusOnce : undefined}
                />
                {label}
              </label>
            ))}
          </fieldset>
          <TextArea name="note" label="Note (optional)" draft={draft} />
          {times.length > 0 ? (
            <Labeled id="call-remind" label="Remind me">
              <select id="call-remind" name="remind" className="input" defaultValue={draft.remind ?? ''}>
                <option value="">No reminder</option>
                {times.map(({ label }) => (
                  <option key={label}>{label}</option>
                ))}
              </select>
            </Labeled>
          ) : null}
        </>
      )}
    </PanelForm>
  );
}
