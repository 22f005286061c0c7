// The privacy page: which personal data is stored, why, and for how long. Change it together with
// the behavior it describes.
import { company } from '../company';
import { PlainPage } from '../sections/plain-page';
import '../styles/inner.css';

export default function Privacy() {
  return (
    <PlainPage
      title="Privacy"
      lead="We keep what you send us so we can answer you. We set no cookies for visitors and run no third-party code."
    >
      <h2>What you send</h2>
      <p>
        The contact form and the quote form ask for your name, email address, phone number, company and what
        you need. We use them to answer you and, if you become a client, to set up the service. We do not sell
        or rent them, and we do not add you to a mailing list. Files that you add to a quote request are kept
        with it. We remove location and camera data from photos before we store them.
      </p>
      <h2>What arrives with it</h2>
      <p>
        A form also carries the page you came in by, the site that sent you here (its name only) and campaign
        tags in the link, so that we know which advertising works. They stay in your browser for this visit.
        If your browser sends Do Not Track or Global Privacy Control, they are not collected.
      </p>
      <h2>What the server keeps</h2>
      <p>
        To stop floods of messages we count submissions by a keyed hash of your network address; the address
        itself is not stored with your message. When someone opens a page, begins a form or taps the phone
        number, we count that by day, page and where the link to us was, and nothing about the person.
      </p>
      <p>
        To set spam aside, the server looks at the text, at the kind of program that sent it, and at the time
        between opening a form and sending it, which it remembers for half an hour. A person looks at what was
        set aside; spam is deleted.
      </p>
      <h2>What stays in your browser</h2>
      <p>
        If you leave a form half filled, the fields that say nothing about you (service, dates, duration) are
        remembered on your own device until you close the tab. We do not see them until you send the form.
        Your browser also notes when you last sent a form, so that no form is sent too often by mistake. Only
        our own staff, when they sign in with a company account, get a cookie, for five minutes.
      </p>
      <h2>How long</h2>
      <p>
        We keep messages and quote requests as long as the inquiry or the contract lasts and the law requires
        after that. Ask us, and we delete what we don’t have to keep, along with every email about it. Our
        backups are deleted one after another, most of them within weeks. When a backup is restored, we delete
        your data from it again.
      </p>
      <h2>Your rights</h2>
      <p>
        Depending on your state, you may have the right to see, correct, download or delete what we hold about
        you. We do this for everyone, not only where the law requires it. Write to{' '}
        <a href={`mailto:${company.email}`}>{company.email}</a> or to{' '}
        {`${company.legal_name}, ${company.address}.`}
      </p>
    </PlainPage>
  );
}
