//! Emails as people and programs send them: each file below this folder, by its name, with what a
//! reader must make of it in `table.json`. Where the table decides otherwise than a reader would
//! expect, `why` says so.

mod authentication;
mod bodies;
mod folding;
mod kinds;

use domain::email::message_id::{EmailId, MessageIds};
use domain::email::received_email::EmailClass;
use domain::email::reply_address::ReplyAddresses;
use inbound_mail::reading::{Read, Reader};
use include_dir::{Dir, File, include_dir};
use serde::Deserialize;
use serde_json::json;

use super::desk::{Desk, SERVER};

/// The number of our email to the customer.
const OURS: i64 = 28_731_382_307_808;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/tests/inbound_mail/cases");

/// What an email is.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Of its file.
    pub name: String,
    /// What it tries.
    pub what: String,
    /// `human`, `automatic` or `report`.
    pub class: String,
    /// What leads to its request: `address`, `id` or `nothing`.
    pub by: String,
    pub verified: bool,
    pub from: String,
    pub author: Option<String>,
    pub reply_to: Option<String>,
    pub subject: String,
    /// Texts that are shown.
    #[serde(default)]
    pub shown: Vec<String>,
    /// Texts that are folded.
    #[serde(default)]
    pub folded: Vec<String>,
    /// Texts that are not shown.
    #[serde(default)]
    pub hidden: Vec<String>,
    #[serde(default)]
    pub files: Vec<String>,
    #[serde(default)]
    pub marks: Vec<String>,
    /// The recipient that a report names.
    pub failed: Option<String>,
    /// Why it is decided so.
    #[serde(default)]
    pub why: Option<String>,
}

/// The cases, in the order of the table.
pub fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("table.json")).unwrap()
}

/// What is put into the emails.
struct Facts<'a> {
    /// The signed address of the request.
    signed: &'a str,
    /// The Message-ID of our email, with its brackets.
    ours: &'a str,
}

impl Desk {
    /// An email of the table to the request of this desk.
    pub fn case(&self, name: &str) -> Vec<u8> {
        let (signed, ours) = (&self.facts.signed, &self.facts.ours);
        email(name, &Facts { signed, ours })
    }
}

/// The emails of a folder and of those below it.
fn files_of<'a>(folder: &'a Dir<'a>) -> Vec<&'a File<'a>> {
    let below = folder.dirs().flat_map(files_of);
    let own = folder.files();
    let own = own.filter(|file| file.path().extension().is_some_and(|end| end == "eml"));
    own.chain(below).collect()
}

/// The emails.
fn files() -> Vec<&'static File<'static>> {
    files_of(&FILES)
}

/// The bytes of an email.
fn email(name: &str, facts: &Facts<'_>) -> Vec<u8> {
    let file = files()
        .into_iter()
        .find(|file| file.path().ends_with(format!("{name}.eml")));
    let mut bytes = file
        .unwrap_or_else(|| panic!("no email {name}"))
        .contents()
        .to_vec();
    let ours = facts.ours.trim_matches(['<', '>']);
    let tag = facts.signed.split(['+', '@']).nth(1).unwrap();
    let (start, end) = tag.split_at(tag.len() - 4);
    for (mark, value) in [
        ("{{SIGNED}}", facts.signed.to_owned()),
        ("{{OURS}}", ours.to_owned()),
        ("{{OURS_UPPER}}", ours.to_uppercase()),
        ("{{TAG}}", tag.to_owned()),
        ("{{TAG_FOLDED}}", format!("{start}\r\n {end}")),
    ] {
        bytes = replace(&bytes, mark.as_bytes(), value.as_bytes());
    }
    bytes
}

fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(from.len()).position(|found| found == from) {
        replaced.extend_from_slice(&rest[..at]);
        replaced.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    replaced.extend_from_slice(rest);
    replaced
}

fn reader() -> Reader {
    Reader {
        addresses: ReplyAddresses::new(&[7; 32], "office@guardpost.example").unwrap(),
        message_ids: MessageIds::new(&[8; 32]).unwrap(),
        authserv_id: SERVER.to_owned(),
        own_addresses: vec!["office@guardpost.example".to_owned()],
        own_names: vec!["Guardpost".to_owned()],
    }
}

/// The signed address of the request.
fn signed() -> String {
    reader().addresses.address("GP-QB4Z").unwrap()
}

/// An answer of the customer to the signed address, verified by our server.
fn answer(fields: &str, body: impl AsRef<[u8]>) -> Read {
    let results = format!("{SERVER}; dmarc=pass header.from=property.example");
    let head = format!(
        "Authentication-Results: {results}\nFrom: Maria Lopez <maria@property.example>\n\
         To: {}\n{fields}\n",
        signed()
    );
    reader().read(&[head.as_bytes(), body.as_ref()].concat(), None)
}

fn read(name: &str) -> Read {
    let reader = reader();
    let signed = signed();
    let ours = reader.message_ids.id(OURS, "guardpost.example");
    let facts = Facts {
        signed: &signed,
        ours: &ours,
    };
    let recipient = (name == "to-only-recipient").then_some(signed.as_str());
    reader.read(&email(name, &facts), recipient)
}

#[test]
fn each_email_of_the_table_is_what_it_says() {
    let mut faults = Vec::new();
    for case in cases() {
        let Read { email, files } = read(&case.name);
        let mut expect = |holds: bool, what: String| {
            if !holds {
                faults.push(format!("{}: {what}", case.name));
            }
        };
        let by = match email.addressed.is_empty() {
            false => "address",
            true if email.ancestors.contains(&EmailId::Ours(OURS)) => "id",
            true => "nothing",
        };
        let failed = match &email.class {
            EmailClass::Report(report) => report.failures.first().map(|it| it.address.clone()),
            _ => None,
        };
        let files: Vec<String> = files.into_iter().map(|file| file.name).collect();
        let is = json!([
            email.class.as_str(),
            by,
            email.is_verified,
            email.from,
            email.from_name,
            email.reply_to,
            email.subject,
            email.marks,
            files,
            failed,
        ]);
        let shall = json!([
            case.class,
            case.by,
            case.verified,
            case.from,
            case.author,
            case.reply_to,
            case.subject,
            case.marks,
            case.files,
            case.failed,
        ]);
        expect(is == shall, format!("is {is}, not {shall}"));
        for text in &case.shown {
            expect(
                email.text.contains(text),
                format!("does not show {text:?}, but {:?}", email.text),
            );
        }
        for text in &case.folded {
            let is_folded = email.folded.contains(text) && !email.text.contains(text);
            expect(is_folded, format!("does not fold {text:?}: {email:?}"));
        }
        for text in &case.hidden {
            let is_hidden = !email.text.contains(text);
            expect(is_hidden, format!("shows {text:?}: {:?}", email.text));
        }
    }
    let faults = faults.join("\n");
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn each_email_is_in_the_table_once() {
    let stem = |file: &File<'_>| {
        file.path()
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    let mut names: Vec<String> = files().into_iter().map(stem).collect();
    names.sort();
    let mut listed: Vec<String> = cases().into_iter().map(|case| case.name).collect();
    listed.sort();
    assert_eq!(listed, names);
    assert!(cases().iter().all(|case| !case.what.is_empty()));
    assert!(cases().iter().all(|case| case.why.as_deref() != Some("")));
}
