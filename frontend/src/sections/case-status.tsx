// The status page of a request. It is not in the route manifest and loads no script: the server
// replaces `{{case.KEY}}`, puts sentences, links and steps in place of `data-list`, and keeps the
// parts and the note that hold (src/site/status_page.rs). What it says of a request is in
// src/http/forms/status_words.
import { company } from '../company';
import { Button, ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';
import { PageHead } from './page-head';

/** What the server says after the visitor has sent something; it keeps one of them, or none. */
const notes = [
  ['sent', 'Your message has reached our office. We will answer by email or phone.'],
  ['settled', 'Thank you. We will not write to you again about this, unless you write to us.'],
  ['files', 'Your files have arrived. Thank you.'],
  ['refused', 'Not added: {{case.refused}}'],
  ['empty', 'Please type your message first.'],
  ['long', 'Please shorten your message to 2,000 characters. Nothing was sent.'],
  ['too-many', 'Too many messages in a short time. Please wait a few minutes, then send it again.'],
  ['failed', 'We could not take this just now. Please send it again, or call us.'],
] as const;

export function CaseStatus() {
  return (
    <>
      <PageHead title="Your request {{case.reference}}" lead="Here is where it stands." />
      <div className="band">
        <div className="column case-status">
          <div className="case-now">
            {notes.map(([note, text]) => (
              // biome-ignore lint/a11y/noAutofocus: it answers what was just sent from this page
              <p key={note} className="case-note" data-note={note} role="status" tabIndex={-1} autoFocus>
                {text}
              </p>
            ))}
            <h2>{'{{case.title}}'}</h2>
            <div data-list="sentences" />
            <p className="actions">
              <span data-list="links" />
              <ButtonLink href={company.phone_href}>
                <Icon name="phone" />
                {`Call ${company.phone}`}
              </ButtonLink>
            </p>
            <p>Give us your reference, {'{{case.reference}}'}, so we can find your request right away.</p>
          </div>
          <ol className="case-steps">
            <li data-list="steps" />
          </ol>
          <div className="case-write">
            <form
              id="files"
              className="case-files"
              method="post"
              action="{{case.path}}"
              encType="multipart/form-data"
              data-part="files"
            >
              <h2 className="case-heading">{'{{case.missing}} did not arrive'}</h2>
              <label htmlFor="case-files">Add it here: JPEG, PNG, WebP or PDF, 10&nbsp;MB each</label>
              <input
                id="case-files"
                type="file"
                name="attachments"
                accept="image/jpeg,image/png,image/webp,application/pdf"
                multiple
                required
              />
              <Button type="submit">Send</Button>
            </form>
            <form method="post" action="{{case.path}}">
              <h2 className="case-heading">Write to us</h2>
              <label htmlFor="case-text">Your message</label>
              <textarea id="case-text" name="text" rows={5} maxLength={2000} required>
                {'{{case.text}}'}
              </textarea>
              <Button type="submit">Send message</Button>
            </form>
            <form method="post" action="{{case.path}}" data-part="settle">
              <h2 className="case-heading">All set?</h2>
              <Button type="submit" name="settled" value="yes" look="quiet">
                Close this request
              </Button>
            </form>
          </div>
        </div>
      </div>
    </>
  );
}
