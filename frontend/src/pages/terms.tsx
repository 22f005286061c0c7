// The terms of use.
import { company } from '../company';
import { PlainPage } from '../sections/plain-page';
import '../styles/inner.css';

export default function Terms() {
  return (
    <PlainPage
      title="Terms of use"
      lead="This site tells you what we do and lets you request a price. We post guards only under a signed agreement."
    >
      <h2>Information, not advice</h2>
      <p>
        What we say about codes, permits and what guards may do is a summary. Codes differ by state, city and
        year. Your fire code official, your state’s licensing authority and your attorney come before anything
        written here.
      </p>
      <h2>Quotes</h2>
      <p>
        A request through this site is free and does not commit you to anything. A quote is an offer only when
        we send it in writing, and only until the date it names.
      </p>
      <h2>Times</h2>
      <p>
        {`In an emergency, a guard is on site in ${company.promise_arrival}; scheduled posts start ${company.promise_start} after you approve the quote; written requests are answered within ${company.promise_answer}. Some sites are too remote for that: the dispatcher names another arrival time before you decide. The arrival time we confirm to you in writing is the one we commit to.`}
      </p>
      <h2>Emergencies</h2>
      <p>
        If there is a fire, a crime in progress or a person in danger, call 911 first. The forms on this site
        are not monitored as an emergency line; the phone number is.
      </p>
      <h2>Fair use of the site</h2>
      <p>
        Send genuine requests, in your own name, and not by automated means. We limit how many requests can be
        sent within a few minutes. Text and drawings on this site belong to {company.legal_name}; credit us if
        you quote them.
      </p>
      <h2>Liability and law</h2>
      <p>
        The site is provided as is. Our liability for services is set out in the service agreement. These
        terms are governed by the law of the State of Texas; where your own state gives consumers more rights,
        you keep them.
      </p>
      <p>
        {`${company.legal_name}, ${company.address}. `}
        <a href={company.phone_href}>{company.phone}</a>
      </p>
    </PlainPage>
  );
}
