//! What is folded, and what never is.

use super::answer;

/// What is shown and what is folded of a plain answer with this subject.
fn folded(subject: &str, body: &str) -> (String, String) {
    let fields = format!("Subject: {subject}\nContent-Type: text/plain; charset=utf-8\n");
    let email = answer(&fields, body).email;
    (email.text, email.folded)
}

const ATTRIBUTION: &str = "On Tue, Nov 24, 2026 at 11:58 AM Acme <office@guardpost.example> wrote:";

#[test]
fn only_what_is_surely_ours_is_folded() {
    let block = |from: &str| {
        format!(
            "From: {from}\nSent: Tuesday, November 24, 2026 11:58 AM\nTo: Maria\nSubject: x\n\ntheir words"
        )
    };
    for (what, subject, body, is_folded) in [
        ("our block", "Re: x", format!("own\n\n{}", block("Acme <office@guardpost.example>")), true),
        (
            "a block with our name",
            "Re: x",
            format!("own\n\n{}", block("Dana, Guardpost Security")),
            true,
        ),
        (
            "a colleague's block without an address",
            "Re: x",
            format!("own\n\n{}", block("Bob Smith")),
            false,
        ),
        (
            "another's block with our name",
            "Re: x",
            format!("own\n\n{}", block("Guardpost Fans <bob@evil.example>")),
            false,
        ),
        (
            "a block of an address that ends like ours",
            "Re: x",
            format!("own\n\n{}", block("backoffice@guardpost.example")),
            false,
        ),
        (
            "another's block",
            "Re: x",
            format!("own\n\n{}", block("Bob <bob@property.example>")),
            false,
        ),
        ("our block, answered inside", "Re: x", format!("see below\n\n{}", block("office@guardpost.example")), false),
        ("our quote", "Re: x", format!("own\n\n{ATTRIBUTION}\n> their words"), true),
        ("our quote, not marked", "Re: x", format!("own\n\n{ATTRIBUTION}\n\ntheir words"), true),
        (
            "another's quote",
            "Re: x",
            "own\n\nOn Tue, Nov 24, 2026 at 11:58 AM Bob <bob@property.example> wrote:\n> their words".to_owned(),
            false,
        ),
        (
            "another's quote, not marked",
            "Re: x",
            "own\n\nOn Tue, Nov 24, 2026 at 11:58 AM Bob wrote:\n\ntheir words".to_owned(),
            false,
        ),
        (
            "a list of the author's own",
            "Re: x",
            "own\n\nFrom: Guardpost post 1\nTo: South gate\nDate: 12/3\n\ntheir words".to_owned(),
            false,
        ),
        (
            "no more than two fields",
            "Re: x",
            "own\n\nFrom: Guardpost\nSubject: x\n\ntheir words".to_owned(),
            false,
        ),
        (
            "an introduction without a time",
            "Re: x",
            "own\n\nOn 12/3/2026 Guardpost wrote:\n> their words".to_owned(),
            false,
        ),
        (
            "an introduction without a date",
            "Re: x",
            "own\n\nAt 11:58 Guardpost wrote:\n> their words".to_owned(),
            false,
        ),
        (
            "the words of a separator without dashes",
            "Re: x",
            "own\n\nOriginal message\ntheir words".to_owned(),
            false,
        ),
        (
            "a colleague's quote without an address",
            "Re: x",
            "own\n\nOn 11/24/26 11:58, Bob wrote:\n> their words".to_owned(),
            false,
        ),
        (
            "our quote by our name",
            "Re: x",
            "own\n\nOn 11/24/26 11:58, Guardpost Security wrote:\n> their words".to_owned(),
            true,
        ),
        ("lines without an introduction", "Re: x", "own\n\n> their words".to_owned(), false),
        ("a sentence with a date", "Re: x", "own\n\nOn 12.03.2026 the marshal wrote:\n> their words".to_owned(), false),
        ("our address in a sentence", "Re: x", "own\n\nOn 11/24/2026 at 11:58 I sent office@guardpost.example:\ntheir words".to_owned(), false),
        ("a separator", "Re: x", "own\n\n-----Original Message-----\ntheir words".to_owned(), true),
        ("a separator of a forward", "Fwd: x", "own\n\n-----Original Message-----\ntheir words".to_owned(), false),
        ("a separator in a sentence", "Re: x", "own\n\n-- the original message --\ntheir words".to_owned(), false),
        ("a forward", "Re: x", "own\n\n-------- Weitergeleitete Nachricht --------\ntheir words".to_owned(), false),
        ("a ticket system", "Re: x", "own\n\n##- Please type your reply above this line -##\ntheir words".to_owned(), true),
    ] {
        let (text, rest) = folded(subject, &body);
        assert!(text.starts_with("own") || text.starts_with("see below"), "{what}: {text}");
        assert_eq!(text.contains("their words"), !is_folded, "{what}: {text}");
        assert_eq!(rest.contains("their words"), is_folded, "{what}: {rest}");
    }
}

#[test]
fn a_quote_above_the_answer_is_folded_and_quotes_between_answers_are_shown() {
    for (body, text) in [
        (format!("{ATTRIBUTION}\n> When?\n\nMonday."), "Monday."),
        (format!("{ATTRIBUTION}\n\n> When?\n> How many?\nMonday.\n\nThree."), "Monday.\n\nThree."),
        (
            format!("{ATTRIBUTION}\n> When?\nMonday.\n> How many?\nThree.\n> Thanks"),
            &format!("{ATTRIBUTION}\n> When?\nMonday.\n> How many?\nThree."),
        ),
        (
            format!("Hello,\n{ATTRIBUTION}\n> When?\nMonday."),
            &format!("Hello,\n{ATTRIBUTION}\n> When?\nMonday."),
        ),
        (format!("{ATTRIBUTION}\n> When?"), &format!("{ATTRIBUTION}\n> When?")),
        (
            "Monday.\n\nOn Tuesday\nNov 24, 2026 at 11:58 AM Acme <office@guardpost.example> wrote:\n> When?".to_owned(),
            "Monday.",
        ),
        (
            format!("Monday.\n\n{ATTRIBUTION}\n> When?\n\n-- \nMaria"),
            "Monday.",
        ),
        (
            "Monday.\n\nOn Tue, Nov 24, 2026\nat 11:58 AM Acme\n<office@guardpost.example> wrote:\n\n> When?".to_owned(),
            "Monday.",
        ),
        (format!("Monday.\n> {ATTRIBUTION}\n>\n> When?"), "Monday."),
    ] {
        assert_eq!(folded("Re: x", &body).0, text, "{body}");
    }
}

#[test]
fn a_signature_is_folded_and_a_divider_is_not() {
    let long = format!("Yes.\n--\nMaria Lopez{}", "\nGate".repeat(12));
    for (body, text) in [
        ("Yes.\n-- \nMaria", "Yes."),
        ("Yes.\n--\nMaria Lopez\nProperty Co", "Yes."),
        ("Yes.\n—\nMaria", "Yes."),
        (
            "Yes.\n-- \nMaria\n> own words",
            "Yes.\n--\nMaria\n> own words",
        ),
        (&long, &long),
        (
            "Yes.\nSent from my iPhone\n\nBegin forwarded message:\n\nBob's words",
            "Yes.\n\nBegin forwarded message:\n\nBob's words",
        ),
        ("Site A\n--\nSite B", "Site A\n--\nSite B"),
        (
            "Yes.\n--\nMaria Lopez wants more than a line that long can be",
            "Yes.\n--\nMaria Lopez wants more than a line that long can be",
        ),
        ("Yes.\n\nSent from my iPhone", "Yes."),
        (
            "Yes.\n\nSent from my Verizon, Samsung Galaxy smartphone",
            "Yes.",
        ),
        ("Yes.\n\nGet Outlook for Android", "Yes."),
        ("Yes.\n\nEnviado desde mi iPhone", "Yes."),
        ("Yes.\n\nVon meinem iPhone gesendet", "Yes."),
        ("Yes.\n\nSent from my iPhone\n\n-- \nMaria", "Yes."),
        ("Sent from the gate: 12 keys", "Sent from the gate: 12 keys"),
        (
            "Yes.\nSent from the guard house near the lobby phone",
            "Yes.\nSent from the guard house near the lobby phone",
        ),
        ("Yes.\nSent via FedEx", "Yes.\nSent via FedEx"),
        ("-- \nMaria", "--\nMaria"),
    ] {
        assert_eq!(folded("Re: x", body).0, text, "{body}");
    }
}

#[test]
fn quotes_of_html_are_known_by_what_programs_write_around_them() {
    let html = |body: &str| {
        let fields = "Subject: Re: x\nContent-Type: text/html; charset=utf-8\n";
        let email = answer(fields, body).email;
        (email.text, email.folded)
    };
    for (what, body, text) in [
        (
            "Gmail, answered below",
            "<div class=gmail_quote><div class=gmail_attr>On Tue Guardpost wrote:<br></div><blockquote class=gmail_quote>When?</blockquote></div><div>Monday.</div>",
            "Monday.",
        ),
        (
            "a forward of Gmail",
            "See this.<div class=gmail_quote><div class=gmail_attr>---------- Forwarded message ---------<br>From: Bob &lt;bob@x.example&gt;<br>Subject: y<br></div><p>Bob's words</p></div>",
            "See this.\n---------- Forwarded message ---------\nFrom: Bob <bob@x.example>\nSubject: y\nBob's words",
        ),
        (
            "Yahoo",
            "<div>Monday.</div><div id=yahoo_quoted_12 class=yahoo_quoted><div>On Tuesday, November 24, 2026 at 11:58 AM, Acme &lt;office@guardpost.example&gt; wrote:</div><div>When?</div></div>",
            "Monday.",
        ),
        (
            "Outlook on the web",
            "<div>Monday.</div><div id=appendonsend></div><hr><div id=divRplyFwdMsg>From: Acme</div><div>When?</div>",
            "Monday.",
        ),
        (
            "Outlook in an answer to an answer",
            "<div>Monday.</div><div id=x_divRplyFwdMsg>From: Acme</div><div>When?</div>",
            "Monday.",
        ),
        (
            "a forward inside our quote",
            "Monday.<div class=gmail_attr>On Tue Guardpost wrote:</div><blockquote class=gmail_quote>---------- Forwarded message ---------<br>x</blockquote>",
            "Monday.",
        ),
        (
            "a forward of Outlook",
            "<div>Look.</div><div id=divRplyFwdMsg>From: Bob &lt;bob@x.example&gt;<br>Sent: Tuesday 24<br>To: Maria<br>Subject: y</div><div>Bob's words</div>",
            "Look.\nFrom: Bob <bob@x.example>\nSent: Tuesday 24\nTo: Maria\nSubject: y\nBob's words",
        ),
        (
            "an indented paragraph below an attribution",
            &format!(
                "Monday.<p>{}</p><blockquote style='margin:0'>When?</blockquote>",
                ATTRIBUTION.replace('<', "&lt;")
            ),
            "Monday.",
        ),
        (
            "the author's own indented words",
            "Posts:<blockquote>Gate 1</blockquote>",
            "Posts:\nGate 1",
        ),
        (
            "a signature of Gmail",
            "<div>Yes.</div><span class=gmail_signature_prefix>-- </span><br><div class=gmail_signature>Maria</div>",
            "Yes.",
        ),
    ] {
        assert_eq!(html(body).0, text, "{what}");
    }
}

#[test]
fn an_answer_is_known_by_our_message_id_alone() {
    let reader = super::reader();
    let ours = reader.message_ids.id(super::OURS, "guardpost.example");
    let text = |references: &str| {
        let body = "own\n\n-----Original Message-----\ntheir words";
        let raw = format!("To: office@guardpost.example\nReferences: {references}\n\n{body}");
        reader.read(raw.as_bytes(), None).email.text
    };
    assert_eq!(text(&ours), "own");
    assert!(text("<other@x.example>").contains("their words"));
}
