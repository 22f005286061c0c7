// What is stored about the person of a request, for requests of access or erasure:
// numbers first, then the download, and the erasure once the address is typed.

import { useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { erasePerson, exportPerson, findPerson, type VisitorData } from '../../api/inbox';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { counted, listText } from '../requests/format';
import { useAuth } from '../session/provider';
import { FieldError, TextField } from '../ui/field';
import { saveFile } from '../ui/save-file';
import { useAttempt } from '../ui/use-attempt';
import { type FieldMessages, useJob, useSubmit } from '../ui/use-submit';

type Props = { email: string; erased(data: VisitorData): void };

export function PersonData({ email, erased }: Props) {
  const { manager } = useAuth();
  const [data, setData] = useState<VisitorData>();
  const [open, setOpen] = useState(false);
  const { alert, attempt } = useAttempt();

  function look() {
    setOpen(!open);
    setData(undefined);
    if (!open) attempt(async () => setData(await manager.withToken(findPerson, email)));
  }

  return (
    <section className="person-data" aria-labelledby="person-title">
      <h3 id="person-title">What we hold</h3>
      <Button look="quiet" className="button-small" aria-expanded={open} onClick={look}>
        Export or erase this person
      </Button>
      {open ? (
        <>
          <p role="status">{data ? `${storedText(data)} of ${email}.` : alert || 'Counting'}</p>
          {data ? <Choices data={data} erased={erased} /> : null}
        </>
      ) : null}
    </section>
  );
}

function Choices({ data, erased }: { data: VisitorData; erased(data: VisitorData): void }) {
  const { manager, withRecentSignIn } = useAuth();
  const { email } = data;
  const { busy, run } = useJob('Not exported');
  const save = () =>
    run(async () => {
      saveFile(await manager.withToken(exportPerson, email), `${email}.json`);
      toast({ title: 'Exported', detail: 'The file is in your downloads.' });
    });

  const sending = useSubmit({
    check({ confirm = '' }): FieldMessages {
      return confirm.trim().toLowerCase() === email.toLowerCase() ? {} : { confirm: `Type ${email}` };
    },
    send: async ({ confirm = '' }) => {
      erased(await withRecentSignIn((token) => erasePerson(token, email, confirm)));
    },
    fieldOf: (error) => (error instanceof ApiError && error.details.fields?.confirm ? 'confirm' : undefined),
  });

  return (
    <>
      <Button look="line" disabled={busy} onClick={save}>
        Download all of it as JSON
      </Button>
      {data.files > 0 ? (
        <p className="muted">The files are not in it: download them from the requests.</p>
      ) : null}
      <form {...sending.form} className="panel-form erase-form">
        <p>
          <strong>Erasing cannot be undone.</strong> All of it is deleted, and a restored backup deletes it
          again. Backups made before keep it until they are deleted.
          {data.has_account ? ' The account with this address stays.' : ''}
        </p>
        <TextField
          name="confirm"
          label={`Type ${email} to erase`}
          autoComplete="off"
          autocapitalize="none"
          spellcheck={false}
          error={sending.messages.confirm}
        />
        <FieldError role="alert" text={sending.alert} />
        <Button type="submit" look="ink" className="negative" disabled={sending.sending}>
          {sending.sending ? 'Erasing' : 'Erase this person'}
        </Button>
      </form>
    </>
  );
}

// The numbers of what is stored about a person, in words.

type Numbers = Pick<VisitorData, 'quotes' | 'messages' | 'emails' | 'files' | 'history' | 'search_entries'>;

/** As in "2 quote requests, 1 email and the search words of 2 requests"; "Nothing" if all are 0. */
export function storedText(data: Numbers): string {
  const parts = [
    counted(data.quotes, 'quote request'),
    counted(data.messages, 'message'),
    counted(data.emails, 'email'),
    counted(data.files, 'file'),
    counted(data.history, 'entry of their history', 'entries of their history'),
    data.search_entries > 0 ? `the search words of ${counted(data.search_entries, 'request')}` : '',
  ].filter(Boolean);
  return listText(parts) || 'Nothing';
}
