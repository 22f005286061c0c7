//! What is folded, and what never is.

use serde::Deserialize;

use super::answer;

/// The cases of `folding.json`.
#[derive(Deserialize)]
struct Folding {
    /// What it is, the subject, the body, and whether "their words" are folded.
    sure: Vec<(String, String, String, bool)>,
    /// Bodies, and what is shown of them.
    quotes: Vec<(String, String)>,
    signatures: Vec<(String, String)>,
    /// What it is, the body, and what is shown.
    html: Vec<(String, String, String)>,
}

fn cases() -> Folding {
    serde_json::from_str(include_str!("folding.json")).unwrap()
}

/// What is shown and what is folded of a plain answer with this subject.
fn folded(subject: &str, body: &str) -> (String, String) {
    let fields = format!("Subject: {subject}\nContent-Type: text/plain; charset=utf-8\n");
    let email = answer(&fields, body).email;
    (email.text, email.folded)
}

#[test]
fn only_what_is_surely_ours_is_folded() {
    for (what, subject, body, is_folded) in cases().sure {
        let (text, rest) = folded(&subject, &body);
        let has_own = text.starts_with("own") || text.starts_with("see below");
        assert!(has_own, "{what}: {text}");
        assert_eq!(text.contains("their words"), !is_folded, "{what}: {text}");
        assert_eq!(rest.contains("their words"), is_folded, "{what}: {rest}");
    }
}

#[test]
fn a_quote_above_the_answer_is_folded_and_quotes_between_answers_are_shown() {
    for (body, text) in cases().quotes {
        assert_eq!(folded("Re: x", &body).0, text, "{body}");
    }
}

#[test]
fn a_signature_is_folded_and_a_divider_is_not() {
    for (body, text) in cases().signatures {
        assert_eq!(folded("Re: x", &body).0, text, "{body}");
    }
}

#[test]
fn quotes_of_html_are_known_by_what_programs_write_around_them() {
    let fields = "Subject: Re: x\nContent-Type: text/html; charset=utf-8\n";
    for (what, body, text) in cases().html {
        assert_eq!(answer(fields, body).email.text, text, "{what}");
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
