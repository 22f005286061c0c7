//! What an email is: a person's, a program's, a report; what marks it; to which requests it
//! belongs; its files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::email::received_email::{EmailClass, EmailMark, ReceivedEmail};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{answer, email, reader, signed};
use crate::inbound_mail::desk::Desk;

/// The cases of `kinds.json`.
#[derive(Deserialize)]
struct Kinds {
    /// Fields, and what an email with them is to the office's address, and verified at the signed
    /// address.
    kinds: Vec<(String, Value, Value)>,
    /// The field of an author, with its address and its name.
    authors: Vec<(String, String, Option<String>)>,
}

fn cases() -> Kinds {
    serde_json::from_str(include_str!("kinds.json")).unwrap()
}

fn kind(email: &ReceivedEmail) -> (&'static str, &[EmailMark]) {
    (email.class.as_str(), &email.marks)
}

#[test]
fn only_what_a_program_says_of_an_email_makes_it_automatic() {
    use EmailMark::Bulk;
    for (fields, stranger, trusted) in cases().kinds {
        let read = answer(&fields, "x").email;
        assert_eq!(json!(kind(&read)), trusted, "{fields}");
        let raw = format!("From: Maria <m@x.example>\nTo: office@guardpost.example\n{fields}\nx");
        let read = reader().read(raw.as_bytes(), None).email;
        assert_eq!(json!(kind(&read)), stranger, "{fields}");
    }
    for (from, marks) in [
        ("no-reply@portal.example", &[Bulk][..]),
        ("Do.Not.Reply+x@portal.example", &[Bulk]),
        (
            "MicrosoftExchange329e@x.example",
            &[EmailMark::PossibleFailure],
        ),
        ("nora.eply@portal.example", &[]),
    ] {
        let raw = format!("From: <{from}>\nTo: office@guardpost.example\n\nx");
        let read = reader().read(raw.as_bytes(), None).email;
        assert_eq!(kind(&read), ("human", marks), "{from}");
    }
}

#[test]
fn authors_are_read_as_old_programs_write_them() {
    for (field, address, name) in cases().authors {
        let raw = format!("From: {field}\nReply-To: {field}\n\nx");
        let read = reader().read(raw.as_bytes(), None).email;
        assert_eq!(
            (read.from.as_str(), read.from_name.as_deref()),
            (address.as_str(), name.as_deref()),
            "{field}"
        );
        assert_eq!(read.reply_to, None, "the same as the author: {field}");
        let raw = format!("From: other@x.example\nReply-To: {field}\n\nx");
        let read = reader().read(raw.as_bytes(), None).email;
        assert_eq!(
            read.reply_to.as_deref().unwrap_or_default(),
            address,
            "{field}"
        );
        assert_eq!(read.reply_to_name, name, "{field}");
    }
}

#[test]
fn an_email_to_two_requests_belongs_to_both_and_a_broken_address_to_none() {
    let reader = reader();
    let one = reader.addresses.address("GP-2K7Q").unwrap();
    let two = reader.addresses.address("GP-QB4Z").unwrap();
    let addressed = |to: &str| {
        let raw = format!("From: m@x.example\n{to}\n\nx");
        reader.read(raw.as_bytes(), None).email.addressed
    };
    assert_eq!(
        addressed(&format!("To: A <{one}>, {two}")),
        ["GP-2K7Q", "GP-QB4Z"]
    );
    assert_eq!(
        addressed(&format!("To: {two}\nCc: {one}, {two}")),
        ["GP-QB4Z", "GP-2K7Q"]
    );
    assert_eq!(
        addressed(&format!("Received: by x for <{one}>; Tue")),
        ["GP-2K7Q"]
    );
    assert_eq!(addressed(&format!("Subject: {one}")), [""; 0]);
    assert_eq!(
        addressed(&format!("To: {}", one.replace("2k7q", "2k7r"))),
        [""; 0]
    );
    let raw = format!("To: {one}\n\nx");
    let read = reader.read(raw.as_bytes(), Some(&two)).email;
    assert_eq!(
        read.addressed,
        ["GP-QB4Z", "GP-2K7Q"],
        "the envelope comes first"
    );
}

#[test]
fn message_ids_are_read_without_brackets_and_over_folds() {
    use domain::email::message_id::EmailId;
    let other = |id: &str| EmailId::Other(id.to_owned());
    for (fields, ancestors) in [
        ("In-Reply-To: a@x.example", vec![other("<a@x.example>")]),
        ("In-Reply-To: <a@x.example>", vec![other("<a@x.example>")]),
        (
            "In-Reply-To: Your email \"of m@x\" <a@x.example>",
            vec![other("<a@x.example>")],
        ),
        (
            "References: <a@\r\n x.example>\r\n\t<b@x>",
            vec![other("<b@x>"), other("<a@x.example>")],
        ),
        ("References: a@x,b@x", vec![other("<b@x>"), other("<a@x>")]),
        (
            "In-Reply-To: <a@x>\nReferences: <a@x> <b@x>",
            vec![other("<a@x>"), other("<b@x>")],
        ),
        ("References: <> words", vec![]),
        ("References: <caf\u{e9}@x>", vec![]),
    ] {
        let read = answer(&format!("{fields}\n"), "x").email;
        assert_eq!(read.ancestors, ancestors, "{fields}");
    }
}

#[test]
fn pictures_of_the_author_are_files_and_logos_are_not() {
    let picture = |id: &str, size: usize| {
        let bytes = STANDARD.encode(vec![7; size]);
        format!(
            "--b\nContent-Type: image/png; name={id}.png\nContent-ID: <{id}>\nContent-Transfer-Encoding: base64\n\n{bytes}\n"
        )
    };
    let html = "<p>See <img src='cid:shot'><img src='cid:tiny'></p><div id=divRplyFwdMsg>From: Acme</div><img src='cid:old'>";
    let body = format!(
        "--b\nContent-Type: text/html\n\n{html}\n{}{}{}{}--b--\n",
        picture("shot", 61_000),
        picture("tiny", 10 * 1024),
        picture("old", 61_000),
        picture("attached", 100),
    );
    let read = answer(
        "Subject: Re: x\nContent-Type: multipart/related; boundary=b\n",
        body,
    );
    let names: Vec<_> = read.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["shot.png", "attached.png"]);
    assert_eq!(read.email.left_out, 0);
}

#[test]
fn files_beyond_a_hundred_are_counted() {
    let part = "--b\nContent-Type: application/pdf\n\nx\n";
    let body = format!("{}--b--\n", part.repeat(103));
    let read = answer("Content-Type: multipart/mixed; boundary=b\n", body);
    assert_eq!((read.files.len(), read.email.left_out), (100, 3));
    assert_eq!(read.files[0].name, "file-1.pdf");
}

#[test]
fn a_report_in_plain_words_names_the_recipient_and_the_reason() {
    let to = signed();
    let of = |head: &str, text: &str| {
        let raw = format!("Return-Path: <>\nTo: {to}\n{head}\n\n{text}");
        reader().read(raw.as_bytes(), None).email
    };
    let daemon = "From: MAILER-DAEMON@mx.example\nSubject: failure notice";
    let failed = of(
        daemon,
        "for postmaster@x.example and office@guardpost.example:\n<maria@property.example>:\nSorry, 550 no such user",
    );
    let EmailClass::Report(report) = &failed.class else {
        panic!("{failed:?}");
    };
    assert_eq!(report.reference.as_deref(), Some("GP-QB4Z"));
    assert_eq!(report.failures.len(), 1, "{report:?}");
    assert_eq!(report.failures[0].address, "maria@property.example");
    assert_eq!(report.failures[0].reason, "Sorry, 550 no such user");
    let copy = "--- Below this line is a copy of the message.\n\nTo: bob@property.example";
    let failed = of(daemon, &format!("<maria@property.example>: 550\n\n{copy}"));
    let EmailClass::Report(report) = &failed.class else {
        panic!("{failed:?}");
    };
    assert_eq!(report.failures.len(), 1, "{report:?}");
    let unclear = of(daemon, "Sorry.");
    assert_eq!(kind(&unclear), ("human", &[EmailMark::PossibleFailure][..]));
    let delay = of(
        "From: MAILER-DAEMON@mx.example\nSubject: Warning: message delayed",
        "maria@property.example",
    );
    assert_eq!(kind(&delay), ("automatic", &[][..]));
    let away = of(
        "From: maria@property.example\nSubject: Automatic reply",
        "write to bob@property.example",
    );
    assert_eq!(kind(&away), ("automatic", &[][..]));
    // A person who passes a report on is a person.
    let raw = format!(
        "From: maria@property.example\nTo: {to}\nSubject: Undeliverable: x\n\nbob@property.example 550"
    );
    assert_eq!(
        kind(&reader().read(raw.as_bytes(), None).email),
        ("human", &[][..])
    );
}

#[test]
fn what_is_inside_a_file_is_named() {
    use EmailMark::{Encrypted, OutlookFile, SignedFile};
    let root = |kind: &str, bytes: &[u8]| {
        let fields = format!("Content-Type: {kind}\nContent-Transfer-Encoding: base64\n");
        answer(&fields, STANDARD.encode(bytes)).email.marks
    };
    let oid = |last: u8| {
        [
            0x30, 0x80, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, last,
        ]
    };
    assert_eq!(
        root("application/pkcs7-mime; name=smime.p7m", &oid(2)),
        [SignedFile]
    );
    assert_eq!(
        root("application/x-pkcs7-mime; name=smime.p7m", &oid(3)),
        [Encrypted]
    );
    assert_eq!(
        root("application/pkcs7-mime; smime-type=certs-only", &oid(2)),
        []
    );
    assert_eq!(
        root("application/octet-stream; name=winmail.dat", b"x"),
        [OutlookFile]
    );
    let inline = answer(
        "",
        "-----BEGIN PGP MESSAGE-----\n\nhQ\n-----END PGP MESSAGE-----\n",
    );
    assert_eq!(inline.email.marks, [Encrypted]);
    assert_eq!(answer("", "about winmail.dat and PGP").email.marks, []);
}

#[tokio::test]
async fn an_absence_starts_no_clock_and_a_list_does() {
    for (fields, subject, starts) in [
        ("", "Automatic reply: Your request", false),
        ("", "Re: Your request", true),
        (
            "List-Id: <team.property.example>\nPrecedence: list\n",
            "Re: Your request",
            true,
        ),
    ] {
        let desk = Desk::start().await;
        let answer = desk.answer(1, "words").replace("Re: Your request", subject);
        let answer = answer.replacen("\nIn-Reply-To", &format!("\n{fields}In-Reply-To"), 1);
        desk.receive(answer).await;
        assert_eq!(
            desk.request().await["waiting_since"].is_string(),
            starts,
            "{subject}"
        );
        assert_eq!(desk.attention().await, 1, "a person sees it");
        let marks = &desk.events("wrote").await[0]["detail"]["marks"];
        assert_eq!(
            marks.as_array().unwrap().is_empty(),
            subject.starts_with("Re") && fields.is_empty()
        );
    }
}

#[tokio::test]
async fn a_report_to_the_signed_address_without_the_email_fails_the_last_reply() {
    let desk = Desk::start().await;
    let facts = super::Facts {
        signed: &desk.facts.signed,
        ours: &desk.facts.ours,
    };
    desk.receive(email("dsn-to-signed", &facts)).await;
    assert_eq!(desk.request().await["reply_failed"], true);
    let replied = &desk.events("replied").await[0]["detail"];
    assert_eq!(replied["state"], "failed");
    assert_eq!(replied["error"], "550 5.1.1 User unknown");
}

#[tokio::test]
async fn a_person_behind_a_group_is_the_customer_and_another_domain_is_not() {
    for (reply_to, known) in [
        ("maria@property.example", true),
        ("maria@evil.example", false),
    ] {
        let desk = Desk::start().await;
        let answer = desk.answer(1, "words").replace(
            "From: Maria <maria@property.example>",
            &format!("From: 'Maria' via Team <team@property.example>\nReply-To: {reply_to}"),
        );
        desk.receive(answer).await;
        let detail = &desk.events("wrote").await[0]["detail"];
        assert_eq!(detail["reply_to"], reply_to);
        assert_eq!(detail["known"], known);
        assert_eq!(detail["counts"], known);
    }
}
