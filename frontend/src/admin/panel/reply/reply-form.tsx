// The reply to a customer: a template with this request's facts, subject and text, and a preview.
// The server sends it ten seconds later, so that it can be undone.

import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/admin-client';
import {
  type EventOf,
  type HistoryEvent,
  type ReplyTemplate,
  readProfile,
  readTemplates,
  sendReply,
} from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { PickList } from '../../commands/pick-list';
import { customer } from '../../requests/format';
import { emailDelay } from '../../requests/undo';
import { useAuth } from '../../session/provider';
import { useRead } from '../../session/use-read';
import { keepDraft, readDraft } from '../../state/drafts';
import { useActions, useDesk } from '../../state/use-desk';
import { Options } from '../../ui/choice';
import { Labeled } from '../../ui/field';
import { FormFault } from '../../ui/use-submit';
import { answerSubject, returned } from '../history/message';
import { type FormProps, PanelForm } from '../panel-form';
import {
  type Answered,
  AnsweredWarning,
  answerAddresses,
  answeredSince,
  answeredText,
  firstAddress,
  lastEvent,
} from './answered-since';
import { draftOf, extrasOf, type Reply, type ReplyText, replyOf, withTemplate } from './reply-draft';
import { AttachFiles, ReplyFiles, type Upload } from './reply-extras';
import { TemplateTools } from './template-tools';

/** The history, oldest first, and its newest message that waits for an answer. */
type Props = FormProps & { history: HistoryEvent[]; waiting: EventOf<'wrote'> | undefined };

export function ReplyForm(props: Props) {
  const { request, drafts, done, history, waiting } = props;
  const { open, walk } = useDesk();
  const { offer } = useActions();
  const textBox = useRef<HTMLTextAreaElement>(null);
  const { manager, user } = useAuth();
  const [templates, setTemplates] = useState<ReplyTemplate[]>([]);
  const proposed = useRef(answerSubject(history, request.reference)).current;
  const [values, setValues] = useState(() => replyOf(readDraft(request.id, 'reply', drafts), proposed));
  // A file that was being sent while other fields were typed changes only the files.
  const latest = useRef(values);
  const [preview, setPreview] = useState(false);
  /** Where a template is inserted, while one is chosen. */
  const [picking, setPicking] = useState<number>();
  /** The name of the file that is being sent, or why one was not added. */
  const [upload, setUpload] = useState<Upload>({});
  const id = useRef(request.id).current;

  const signature = useRead(readProfile).found?.signature ?? '';
  // The last event that this person has seen, or has decided to send the reply after.
  const seen = useRef(lastEvent(history));
  const [refused, setRefused] = useState<Answered>();
  const box = useRef<HTMLDivElement>(null);
  // It has its subject already.
  useEffect(() => textBox.current?.focus(), []);
  const answered = answeredSince(history, seen.current, user?.id) ?? refused;
  const [to, setTo] = useState(() => firstAddress(waiting, request.email));
  const bounced = returned(history, to);

  const loadTemplates = useCallback(async () => {
    const read = await manager.withToken(readTemplates, id).catch(() => undefined);
    if (read) setTemplates(read.templates);
  }, [manager, id]);
  useEffect(() => void loadTemplates(), [loadTemplates]);

  const write = (changes: Partial<Reply>) => {
    latest.current = { ...latest.current, ...changes };
    setValues(latest.current);
    keepDraft(id, 'reply', draftOf(latest.current));
  };

  /** In an empty line, "/" opens the templates. */
  function pressInText(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const line = value.slice(0, selectionStart).split('\n').at(-1);
    if (event.key !== '/' || line || selectionStart !== selectionEnd || templates.length === 0) return;
    event.preventDefault();
    setPicking(selectionStart);
  }

  function insert(template: ReplyTemplate, cursor: number) {
    write(withTemplate(values, template, cursor, proposed));
    textBox.current?.focus();
  }

  async function send(token: string) {
    const written = latest.current;
    const words = { subject: written.subject.trim(), text: written.text.trim() };
    if (!words.subject) throw new FormFault('Write a subject first.');
    if (!words.text) throw new FormFault('Write the reply first.');
    if (upload.sending) throw new FormFault('A file is still being sent. Send the reply when it is listed.');
    const reply = { ...words, ...extrasOf(written), to, seen: seen.current };
    const { id: event } = await sendReply(token, id, reply).catch(warn);
    const call = request.awaits_call ? ' The call is still due.' : '';
    offer('Reply sent', `It leaves in ten seconds.${call}`, {
      id,
      event,
      undone: `The reply to ${customer(request)} is not sent. It is kept: choose Reply to go on writing.`,
      time: emailDelay,
      after() {
        keepDraft(id, 'reply', draftOf(written));
        done();
      },
    });
  }

  /** Shows the answer because of which the server has refused the reply. */
  function warn(error: unknown): never {
    const answer = error instanceof ApiError ? error.details.answered : undefined;
    if (!answer) throw error;
    const actor = answer.by ?? null;
    setRefused({ text: answeredText({ ...answer, actor }), lastEvent: answer.last_event });
    open.reload();
    throw new FormFault('Not sent yet: a colleague was faster.');
  }

  function sendAnyway() {
    if (!answered) return;
    seen.current = answered.lastEvent;
    setRefused(undefined);
    box.current?.closest('form')?.requestSubmit();
  }

  return (
    <PanelForm
      {...props}
      next={walk(1)}
      name="reply"
      submit="Send reply"
      notStored="Not sent"
      send={send}
      ownDraft
      warning={
        <>
          <ReplyFiles
            files={values.files}
            upload={upload}
            remove={(file) => write({ files: latest.current.files.filter((it) => it.file !== file) })}
          />
          <div ref={box}>
            {answered ? <AnsweredWarning answered={answered} sendAnyway={sendAnyway} /> : null}
          </div>
        </>
      }
      tools={
        <>
          <AttachFiles
            request={id}
            files={values.files}
            addFile={(file) => write({ files: [...latest.current.files, file] })}
            uploading={upload.sending !== undefined}
            setUpload={setUpload}
          />
          {templates.length > 0 ? (
            <Button
              look="quiet"
              onClick={() => setPicking(textBox.current?.selectionStart ?? values.text.length)}
            >
              Templates
            </Button>
          ) : null}
          <Button look="quiet" aria-pressed={preview} onClick={() => setPreview(!preview)}>
            {preview ? 'Go on writing' : 'Preview'}
          </Button>
        </>
      }
    >
      {() => (
        <>
          <Recipient addresses={answerAddresses(history, request.email)} to={to} choose={setTo} />
          {bounced === undefined ? null : (
            <p className="message-warning" role="alert">
              The last email to this address came back{bounced ? `: ${bounced}` : ''}. Call the customer, or
              check the address.
            </p>
          )}
          {picking === undefined ? null : (
            <PickList
              label="Insert a template"
              picks={templates.map((template) => ({
                name: template.editable && !template.shared ? `${template.title} (mine)` : template.title,
                run: () => insert(template, picking),
              }))}
              close={() => {
                // The browser has put the cursor at the beginning, unless a text was inserted.
                if (textBox.current?.selectionEnd === 0) textBox.current.setSelectionRange(picking, picking);
                setPicking(undefined);
              }}
            />
          )}
          {preview ? null : (
            <Labeled id="reply-subject" label="Subject" className="subject-field">
              <input
                id="reply-subject"
                name="subject"
                className="input"
                autoComplete="off"
                value={values.subject}
                onInput={(event) => write({ subject: event.currentTarget.value })}
              />
            </Labeled>
          )}
          <Labeled id="reply-cc" label="Copies to (optional)" className="cc-field">
            <input
              id="reply-cc"
              className="input"
              inputMode="email"
              autoComplete="off"
              value={values.cc}
              onInput={(event) => write({ cc: event.currentTarget.value })}
            />
          </Labeled>
          {preview ? (
            <Preview {...values} signature={signature} />
          ) : (
            <Labeled id="reply-text" label="Text">
              <textarea
                id="reply-text"
                name="text"
                className="input"
                rows={6}
                ref={textBox}
                value={values.text}
                onKeyDown={pressInText}
                onInput={(event) => write({ text: event.currentTarget.value })}
              />
            </Labeled>
          )}
          {signature && !preview ? (
            <p className="muted reply-signature">
              <span>Your signature follows:</span> {signature}
            </p>
          ) : null}
          <TemplateTools request={id} typed={values} templates={templates} reload={loadTemplates} />
        </>
      )}
    </PanelForm>
  );
}

type RecipientProps = { addresses: string[]; to: string; choose(address: string): void };

/** Where the reply goes; a choice if a message asks for its answer elsewhere. */
function Recipient({ addresses, to, choose }: RecipientProps) {
  if (addresses.length < 2) return <p className="muted">To {to}</p>;
  return (
    <Labeled id="reply-to" label="To">
      <select
        id="reply-to"
        className="input"
        value={to}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <Options of={addresses.map((address) => [address, address])} />
      </select>
    </Labeled>
  );
}

function Preview({ subject, text, signature }: ReplyText & { signature: string }) {
  return (
    <section className="reply-preview" aria-label="Preview">
      <p>
        <strong>{subject || 'No subject yet'}</strong>
      </p>
      {[text, signature]
        .filter(Boolean)
        .join('\n\n')
        .split(/\n{2,}/)
        .map((paragraph, at) => (
          <p key={at} className="panel-words">
            {paragraph}
          </p>
        ))}
    </section>
  );
}
