// Notes, calls and replies: one form at a time under the customer's details.
import { addNote, logCall } from '../../api/inbox';
import type { CallOutcome, RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { focusOnce, PanelForm, TextArea } from './panel-form';
import { ReplyForm } from './reply-form';

/** The forms; each has a key that opens it. */
export type ComposerForm = 'reply' | 'call' | 'note';

type Props = {
  request: RequestItem;
  form: ComposerForm | undefined;
  setForm(form: ComposerForm | undefined): void;
  /** Called when something was stored. */
  done(): void;
};

const forms: [ComposerForm, string][] = [
  ['reply', 'Reply'],
  ['call', 'Log a call'],
  ['note', 'Add a note'],
];

export function Composer({ request, form, setForm, done }: Props) {
  const finish = () => {
    setForm(undefined);
    done();
  };
  return (
    <div className="composer">
      <div className="composer-tabs">
        {forms.map(([name, label]) => (
          <Button
            key={name}
            look="line"
            className="button-small"
            aria-expanded={form === name}
            onClick={() => setForm(form === name ? undefined : name)}
          >
            {label}
          </Button>
        ))}
      </div>
      {form === 'note' ? <NoteForm key={request.id} request={request} done={finish} /> : null}
      {form === 'call' ? <CallForm key={request.id} request={request} done={finish} /> : null}
      {form === 'reply' ? <ReplyForm key={request.id} request={request} done={finish} /> : null}
    </div>
  );
}

type FormProps = { request: RequestItem; done(): void };

function NoteForm({ request, done }: FormProps) {
  return (
    <PanelForm
      request={request}
      name="note"
      submit="Save note"
      send={async (token, { text = '' }) => {
        if (!text.trim()) throw new Error('Write the note first.');
        await addNote(token, request.id, text.trim());
        toast({ title: 'Note saved' });
      }}
      done={done}
    >
      {(draft) => <TextArea name="text" label="Note" hint="Only admins see it." draft={draft} focus />}
    </PanelForm>
  );
}

const outcomes: [CallOutcome, string][] = [
  ['reached', 'Reached'],
  ['voicemail', 'Voicemail'],
  ['no_answer', 'No answer'],
];

function CallForm({ request, done }: FormProps) {
  return (
    <PanelForm
      request={request}
      name="call"
      submit="Save call"
      send={async (token, { outcome, note = '' }) => {
        if (!outcome) throw new Error('Choose how the call ended.');
        await logCall(token, request.id, outcome as CallOutcome, note.trim());
        toast({
          title: 'Call saved',
          detail:
            outcome === 'reached' ? 'The customer is answered.' : 'The request still waits for an answer.',
        });
      }}
      done={done}
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
        </>
      )}
    </PanelForm>
  );
}
