// The reply to a customer: a template with this request's facts, subject and text, and a preview.
// The server sends it ten seconds later, so that it can be undone.
import { useEffect, useRef, useState } from 'react';
import { readTemplates, sendReply, undoChange } from '../../api/inbox';
import type { ReplyTemplate, RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { undoDetail } from '../queue/undo';
import { useAuth } from '../session/provider';
import { errorMessage } from '../use-submit';
import { keepDraft, readDraft } from './drafts';
import { focusOnce, PanelForm } from './panel-form';

/** Milliseconds until the server sends a reply. */
const undoTime = 10_000;

export function ReplyForm({ request, done }: { request: RequestItem; done(): void }) {
  const { manager } = useAuth();
  const [templates, setTemplates] = useState<ReplyTemplate[]>([]);
  const [values, setValues] = useState(() => ({ subject: '', text: '', ...readDraft(request.id, 'reply') }));
  const [preview, setPreview] = useState(false);
  const id = useRef(request.id).current;

  useEffect(() => {
    manager
      .withToken((token) => readTemplates(token, id))
      .then(
        (read) => setTemplates(read.templates),
        () => {},
      );
  }, [manager, id]);

  const write = (changes: Partial<typeof values>) => {
    const next = { ...values, ...changes };
    setValues(next);
    keepDraft(id, 'reply', next);
  };

  async function undo(event: number) {
    try {
      await manager.withToken((token) => undoChange(token, id, event));
      keepDraft(id, 'reply', values);
      toast({ title: 'Not sent', detail: 'The reply is kept: choose Reply to go on writing.' });
    } catch (error) {
      toast({ title: 'Not undone', detail: errorMessage(error), destructive: true });
    }
    done();
  }

  async function send(token: string) {
    if (!values.subject.trim()) throw new Error('Write a subject first.');
    if (!values.text.trim()) throw new Error('Write the reply first.');
    const { id: event } = await sendReply(token, id, values.subject.trim(), values.text.trim());
    const detail = undoDetail('It leaves in ten seconds.', { id, event }, () => undo(event));
    toast({ title: 'Reply sent', detail, duration: undoTime });
  }

  return (
    <PanelForm request={request} name="reply" submit="Send reply" send={send} done={done}>
      {() => (
        <>
          {templates.length > 0 ? <TemplateSelect templates={templates} choose={write} /> : null}
          <p className="muted">To {request.email}</p>
          {preview ? (
            <Preview {...values} />
          ) : (
            <>
              <div className="field">
                <label htmlFor="reply-subject">Subject</label>
                <input
                  id="reply-subject"
                  name="subject"
                  className="input"
                  autoComplete="off"
                  value={values.subject}
                  ref={focusOnce}
                  onInput={(event) => write({ subject: event.currentTarget.value })}
                />
              </div>
              <div className="field">
                <label htmlFor="reply-text">Text</label>
                <textarea
                  id="reply-text"
                  name="text"
                  className="input"
                  rows={9}
                  value={values.text}
                  onInput={(event) => write({ text: event.currentTarget.value })}
                />
              </div>
            </>
          )}
          <Button look="quiet" aria-pressed={preview} onClick={() => setPreview(!preview)}>
            {preview ? 'Go on writing' : 'Preview'}
          </Button>
        </>
      )}
    </PanelForm>
  );
}

type TemplateProps = {
  templates: ReplyTemplate[];
  choose(values: { subject: string; text: string }): void;
};

function TemplateSelect({ templates, choose }: TemplateProps) {
  return (
    <div className="field">
      <label htmlFor="reply-template">Template</label>
      <select
        id="reply-template"
        className="input"
        onChange={(event) => {
          const template = templates.find(({ key }) => key === event.currentTarget.value);
          if (template) choose({ subject: template.subject, text: template.text });
        }}
      >
        <option value="">None</option>
        {templates.map(({ key, title }) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

function Preview({ subject, text }: { subject: string; text: string }) {
  return (
    <section className="reply-preview" aria-label="Preview">
      <p>
        <strong>{subject || 'No subject yet'}</strong>
      </p>
      {text.split(/\n{2,}/).map((paragraph, at) => (
        <p key={at} className="panel-words">
          {paragraph}
        </p>
      ))}
    </section>
  );
}
