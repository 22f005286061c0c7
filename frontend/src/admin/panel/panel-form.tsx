// A form of the panel: keeps what is typed, sends once, and shows why it was not stored.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { RequestDetail, RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { keepDraft, readDraft, submitDraft } from '../state/drafts';
import { focusOnce, formValues } from '../ui/field';
import { useOtherTab } from '../ui/kept';
import { errorMessage, failureTitle, useSubmit } from '../ui/use-submit';

export type FormProps = {
  request: RequestItem;
  /** What the server has kept of what was typed before. */
  drafts: RequestDetail['drafts'];
  /** Called when something was stored. */
  done(): void;
};

type PanelFormProps = FormProps & {
  name: string;
  submit: string;
  /** Stores the form; the message of an error that it throws is shown. */
  send(token: string, values: Record<string, string>): Promise<void>;
  /** The title of the message that it was not stored. */
  notStored?: string;
  /** Whether the form keeps its draft itself. */
  ownDraft?: boolean;
  /** Stands above the button, in sight however the fields are scrolled. */
  warning?: ReactNode;
  /** Stands beside the button. */
  tools?: ReactNode;
  /** Opens the next request once this one is stored, if a second button is pressed. */
  next?: (() => void) | undefined;
  children(draft: Record<string, string>): ReactNode;
};

export function PanelForm({ request, drafts, name, submit, send, done, ...rest }: PanelFormProps) {
  const { notStored = 'Not saved', ownDraft, warning, tools, next, children } = rest;
  const { manager } = useAuth();
  const [draft] = useState(() => readDraft(request.id, name, drafts));
  const isElsewhere = useOtherTab(`${request.id} ${name}`);
  const { form, alert, setAlert, sending } = useSubmit({
    check: () => ({}),
    async send(values, button) {
      await submitDraft(request.id, name, () => manager.withToken(send, values));
      done();
      if (button?.dataset.next !== undefined) next?.();
    },
    failed(error) {
      const text = errorMessage(error);
      setAlert(text);
      toast({ title: failureTitle(error, notStored), detail: text, destructive: true });
    },
  });
  const said = useRef<HTMLParagraphElement>(null);
  // A person who has sent it by the key looks at the text above.
  useEffect(() => {
    if (alert) said.current?.scrollIntoView?.({ block: 'nearest' });
  }, [alert]);

  return (
    <form
      {...form}
      className="panel-form"
      onInput={(event) => ownDraft || keepDraft(request.id, name, formValues(event.currentTarget))}
    >
      <div className="form-fields">{children(draft)}</div>
      {isElsewhere ? (
        <p className="muted" role="status">
          You are writing this in another tab too. What is typed last is kept.
        </p>
      ) : null}
      {warning}
      <p ref={said} className="field-error" role="alert" hidden={!alert}>
        {alert}
      </p>
      <div className="form-send">
        <Button type="submit" look="ink" disabled={sending} title="Ctrl+Enter">
          {submit}
        </Button>
        {next ? (
          <Button type="submit" look="line" data-next disabled={sending} title="Ctrl+Shift+Enter">
            Send and next
          </Button>
        ) : null}
        {tools}
      </div>
    </form>
  );
}

type TextAreaProps = {
  name: string;
  label: string;
  hint?: string;
  draft: Record<string, string>;
  focus?: boolean;
};

export function TextArea({ name, label, hint, draft, focus }: TextAreaProps) {
  return (
    <div className="field">
      <label htmlFor={`panel-${name}`}>{label}</label>
      <textarea
        id={`panel-${name}`}
        name={name}
        className="input"
        rows={3}
        defaultValue={draft[name] ?? ''}
        aria-describedby={hint ? `panel-${name}-hint` : undefined}
        ref={focus ? focusOnce : undefined}
      />
      {hint ? (
        <p id={`panel-${name}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
