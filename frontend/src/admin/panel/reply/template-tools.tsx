// Own templates of replies: what is typed is saved as one, and own ones are edited and deleted.
import type { KeyboardEvent } from 'react';
import {
  addTemplate,
  changeTemplate,
  deleteTemplate,
  listTemplates,
  type ReplyTemplate,
} from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { toast } from '../../../ui/toast';
import { useAuth } from '../../session/provider';
import { ConfirmButton } from '../../ui/confirm-button';
import { FieldError, focusOnce, Labeled } from '../../ui/field';
import { useKept } from '../../ui/kept';
import { useAttempt } from '../../ui/use-attempt';
import type { ReplyText } from './reply-draft';

type Props = {
  request: string;
  typed: ReplyText;
  templates: ReplyTemplate[];
  /** Reads the templates again. An error leaves the old ones. */
  reload(): Promise<void>;
};

/** What is being written: a new template, or a stored one with its `{{facts}}`. */
type Editing = { key?: string; title: string; subject: string; text: string; shared: boolean };

export function TemplateTools({ request, typed, templates, reload }: Props) {
  const { manager } = useAuth();
  const [editing, setEditing] = useKept<Editing>('template');
  const { alert, busy, attempt } = useAttempt();
  const own = templates.filter(({ editable }) => editable);

  const change = (job: (token: string) => Promise<unknown>, done: string) =>
    attempt(async () => {
      await manager.withToken(job);
      setEditing(undefined);
      // A template that is inserted after the toast is the changed one.
      await reload();
      toast({ title: done });
    });

  const edit = (key: string) =>
    attempt(async () => {
      const stored = await manager.withToken(listTemplates);
      const template = stored.templates.find((one) => one.key === key);
      if (template) setEditing(template);
    });

  function save() {
    if (!editing || busy) return;
    const { key, title, subject, text, shared } = editing;
    const fields = { title, subject, text, shared };
    if (key) change((token) => changeTemplate(token, key, fields), 'Template changed');
    else change((token) => addTemplate(token, { ...fields, request }), 'Template saved');
  }

  return (
    // The form of the reply keeps what is typed into it as the draft of the reply.
    <details className="template-tools" onInput={(event) => event.stopPropagation()}>
      <summary>My templates</summary>
      {editing ? (
        <TemplateEditor
          editing={editing}
          change={(changes) => setEditing({ ...editing, ...changes })}
          save={save}
          cancel={() => setEditing(undefined)}
        />
      ) : (
        <>
          {own.length === 0 ? <p className="muted">You have no template of your own yet.</p> : null}
          <ul className="own-templates">
            {own.map(({ key, title, shared }) => (
              <li key={key}>
                <span>
                  {title}
                  {shared ? <span className="muted"> (shared)</span> : null}
                </span>
                <Button look="quiet" onClick={() => edit(key)}>
                  Edit<span className="visually-hidden"> the template {title}</span>
                </Button>
                <ConfirmButton
                  name="Delete"
                  of={`the template ${title}`}
                  act={() => change((token) => deleteTemplate(token, key), 'Template deleted')}
                />
              </li>
            ))}
          </ul>
          <Button
            look="line"
            className="button-small"
            disabled={!typed.text.trim()}
            onClick={() => setEditing({ title: '', shared: false, ...typed })}
          >
            Save what is typed as a template
          </Button>
        </>
      )}
      <FieldError role="alert" text={alert} />
    </details>
  );
}

type EditorProps = {
  editing: Editing;
  change(changes: Partial<Editing>): void;
  save(): void;
  cancel(): void;
};

/** Inside the form of the reply: its fields have no names, and Enter saves the template. */
function TemplateEditor({ editing, change, save, cancel }: EditorProps) {
  const saveByKey = (event: KeyboardEvent<HTMLElement>) => {
    const isLine = event.currentTarget.tagName === 'INPUT';
    if (event.key !== 'Enter' || !(isLine || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    save();
  };
  return (
    <div className="template-editor">
      {(['title', 'subject'] as const).map((key) => (
        <Labeled
          key={key}
          id={`template-${key}`}
          label={key === 'title' ? 'Name of the template' : 'Subject of the template'}
        >
          <input
            id={`template-${key}`}
            className="input"
            maxLength={key === 'title' ? 80 : 200}
            autoComplete="off"
            value={editing[key]}
            ref={key === 'title' && !editing.key ? focusOnce : undefined}
            onInput={(event) => change({ [key]: event.currentTarget.value })}
            onKeyDown={saveByKey}
          />
        </Labeled>
      ))}
      <Labeled id="template-text" label="Text of the template">
        <textarea
          id="template-text"
          className="input"
          rows={6}
          aria-describedby="template-hint"
          value={editing.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
          onKeyDown={saveByKey}
        />
        <p id="template-hint" className="field-hint">
          {'{{first_name}}'} and the like stand for facts of the request.{' '}
          {editing.key ? '' : 'This customer’s name and reference become such facts.'}
        </p>
      </Labeled>
      <label className="field-check">
        <input
          type="checkbox"
          checked={editing.shared}
          onChange={(event) => change({ shared: event.currentTarget.checked })}
        />
        For everybody
      </label>
      <p className="actions">
        <Button look="line" className="button-small" onClick={save}>
          Save template
        </Button>
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
      </p>
    </div>
  );
}
