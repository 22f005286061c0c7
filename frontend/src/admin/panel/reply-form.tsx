// The reply to a customer: a template with this request's facts, subject and text, and a preview.
// The server sends it ten seconds later, so that it can be undone.
import { useContext, useEffect, useRef, useState } from 'react';
import { readTemplates, sendReply } from '../../api/inbox';
import type { ReplyTemplate } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { awaitsCall, customer } from '../requests/format';
import { emailDelay, OfferContext } from '../requests/undo';
import { useAuth } from '../session/provider';
import { keepDraft, readDraft } from './drafts';
import { type FormProps, focusOnce, PanelForm } from './panel-form';
import { type ReplyText, withTemplate } from './with-template';

export function ReplyForm(props: FormProps) {
  const { request, drafts, done } = props;
  const offer = useContext(OfferContext);
  const textBox = useRef<HTMLTextAreaElement>(null);
  const { manager } = useAuth();
  const [templates, setTemplates] = useState<ReplyTemplate[]>([]);
  const [values, setValues] = useState<ReplyText>(() => ({
    subject: '',
    text: '',
    ...readDraft(request.id, 'reply', drafts),
  }));
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

  function insert(template: ReplyTemplate) {
    const cursor = textBox.current?.selectionStart ?? values.text.length;
    write(withTemplate(values, template, cursor));
    textBox.current?.focus();
  }

  async function send(token: string) {
    if (!values.subject.trim()) throw new Error('Write a subject first.');
    if (!values.text.trim()) throw new Error('Write the reply first.');
    const { id: event } = await sendReply(token, id, values.subject.trim(), values.text.trim());
    const call = awaitsCall(request) ? ' The call is still due.' : '';
    offer('Reply sent', `It leaves in ten seconds.${call}`, {
      id,
      event,
      undone: `The reply to ${customer(request)} is not sent. It is kept: choose Reply to go on writing.`,
      time: emailDelay,
      after() {
        keepDraft(id, 'reply', values);
        done();
      },
    });
  }

  return (
    <PanelForm {...props} name="reply" submit="Send reply" send={send}>
      {() => (
        <>
          {templates.length > 0 ? <TemplateSelect templates={templates} choose={insert} /> : null}
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
                  ref={textBox}
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
  choose(template: ReplyTemplate): void;
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
          if (template) choose(template);
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
