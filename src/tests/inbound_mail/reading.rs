//! What the reader makes of each email of the corpus.

use domain::email::message_id::{EmailId, MessageIds};
use domain::email::received_email::EmailClass;
use domain::email::reply_address::ReplyAddresses;
use inbound_mail::reading::Reader;

use super::corpus::{Belongs, Facts, Kind, SERVER, samples};

/// The number of our email to the customer.
const OURS: i64 = 28_723_683_921_088;

fn reader() -> Reader {
    Reader {
        addresses: ReplyAddresses::new(&[7; 32], "office@guard.example").unwrap(),
        message_ids: MessageIds::new(&[8; 32]).unwrap(),
        authserv_id: SERVER.to_owned(),
        own_addresses: vec!["office@guard.example".to_owned()],
        own_names: vec!["Acme".to_owned()],
    }
}

fn facts(reader: &Reader) -> Facts {
    Facts {
        signed: reader.addresses.address("GP-2K7Q").unwrap(),
        ours: reader.message_ids.id(OURS, "guard.example"),
        customer: "maria@property.example".to_owned(),
    }
}

#[test]
fn each_email_of_the_corpus_is_what_it_is() {
    let reader = reader();
    let facts = facts(&reader);
    let samples = samples(&facts);
    assert!(samples.len() >= 120, "{} emails", samples.len());
    let mut faults = Vec::new();
    for sample in &samples {
        let name = &sample.name;
        let read = reader.read(&sample.raw, None);
        let email = &read.email;
        let mut expect = |holds: bool, what: String| {
            if !holds {
                faults.push(format!("{name}: {what}"));
            }
        };
        let kind = match email.class {
            EmailClass::Human => Kind::Human,
            EmailClass::Automatic => Kind::Automatic,
            EmailClass::Report(_) => Kind::Report,
        };
        expect(kind == sample.kind, format!("is {:?}", email.class));
        let by_address = email.addressed == ["GP-2K7Q"];
        expect(
            by_address == (sample.belongs == Belongs::ByAddress),
            format!("{:?}", email.addressed),
        );
        if sample.belongs == Belongs::ById {
            expect(
                email.ancestors.contains(&EmailId::Ours(OURS)),
                format!("{:?}", email.ancestors),
            );
        }
        let is_verified = email.is_verified && email.from == facts.customer;
        expect(
            is_verified == sample.is_verified,
            format!("verified {is_verified}, {}", email.from),
        );
        for text in &sample.shown {
            expect(email.text.contains(text), format!("shows {:?}", email.text));
        }
        for text in &sample.folded {
            let is_folded = email.folded.contains(text) && !email.text.contains(text);
            expect(
                is_folded,
                format!("folds {:?}, shows {:?}", email.folded, email.text),
            );
        }
        let files: Vec<_> = read.files.iter().map(|file| file.name.as_str()).collect();
        expect(files == sample.files, format!("has the files {files:?}"));
        let has_controls = email
            .text
            .chars()
            .any(|c| c.is_control() && c != '\n' && c != '\t');
        expect(!has_controls, format!("{:?}", email.text));
    }
    assert!(
        faults.is_empty(),
        "{}\n{} faults",
        faults.join("\n"),
        faults.len()
    );
}

#[test]
fn a_report_names_the_email_its_recipient_and_the_words_of_the_server() {
    let reader = reader();
    let facts = facts(&reader);
    let mut count = 0;
    for sample in samples(&facts) {
        let EmailClass::Report(report) = reader.read(&sample.raw, None).email.class else {
            continue;
        };
        count += 1;
        assert_eq!(report.original, Some(OURS), "{}", sample.name);
        assert_eq!(
            report.reference.as_deref(),
            Some("GP-2K7Q"),
            "{}",
            sample.name
        );
        let [failure] = report.failures.as_slice() else {
            panic!("{}: {report:?}", sample.name);
        };
        assert_eq!(failure.address, facts.customer, "{}", sample.name);
        assert!(
            failure.reason.contains("ser unknown"),
            "{}: {}",
            sample.name,
            failure.reason
        );
    }
    assert_eq!(count, 7);
}

#[test]
fn an_email_that_comes_by_two_ways_has_one_fingerprint_and_others_have_others() {
    let reader = reader();
    let email = "From: m@x.example\nDate: x\nMessage-ID: <1@x>\nSubject: s\n\nline\nline two  \n\n";
    let fingerprint = |text: &str| reader.read(text.as_bytes(), None).email.fingerprint;
    let first = fingerprint(email);
    for same in [
        email.replace('\n', "\r\n"),
        format!("From m@x.example Tue Nov 24\n{email}"),
        format!("Received: by a\nDelivered-To: b\n{email}"),
        format!("{email}\n\n"),
    ] {
        assert_eq!(fingerprint(&same), first, "{same}");
    }
    for other in [
        email.replace("<1@x>", "<2@x>"),
        email.replace("m@x", "n@x"),
        email.replace("two", "three"),
    ] {
        assert_ne!(fingerprint(&other), first, "{other}");
    }
}

#[test]
fn without_the_name_of_our_server_no_sender_is_verified() {
    let mut reader = reader();
    reader.authserv_id = String::new();
    let facts = facts(&reader);
    for sample in samples(&facts) {
        assert!(
            !reader.read(&sample.raw, None).email.is_verified,
            "{}",
            sample.name
        );
    }
}

#[test]
fn the_recipient_of_the_envelope_leads_to_the_request() {
    let reader = reader();
    let signed = reader.addresses.address("GP-2K7Q").unwrap();
    let read = reader.read(b"To: office@guard.example\n\nx", Some(&signed));
    assert_eq!(read.email.addressed, ["GP-2K7Q"]);
}
