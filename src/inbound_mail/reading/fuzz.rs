//! Mutations of emails that people and programs send.

use std::time::Duration;

use include_dir::{Dir, include_dir};

use super::fingerprint;
use super::process::ReaderSettings;
use fuzzing::fuzz;

static EMAILS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../tests/inbound_mail/cases");

/// Tokens of emails.
const WORDS: [&str; 16] = [
    "Content-Type: message/rfc822\n\n",
    "Content-type : multipart/mixed; boundary=x\n\n--x\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Disposition: attachment; filename*0*=utf-8''a%20; filename*1=b\n",
    "Authentication-Results: mx.guardpost.example; dkim=pass header.d=\"x\\\"y\"",
    "=?utf-8?B?",
    "=?iso-2022-jp?Q?=1B$B",
    "References: <",
    "\nOn Tuesday, Maria wrote:\n> ",
    "<blockquote><table><tr><td>",
    "<a href=\"mailto:",
    "&#x10FFFF;",
    "Action: failed\nFinal-Recipient: rfc822;",
    "-----Original Message-----\n",
    "-- \n",
    "begin 644 winmail.dat\n",
];

#[test]
#[ignore = "just fuzz-parsers"]
fn fuzz_emails() {
    let files = EMAILS.dirs().flat_map(|folder| folder.files());
    let seeds: Vec<Vec<u8>> = files.map(|file| file.contents().to_vec()).collect();
    let settings = ReaderSettings {
        address_key: [7; 32],
        message_id_key: [8; 32],
        mailbox: "office@guardpost.example".to_owned(),
        authserv_id: "mx.guardpost.example".to_owned(),
        own_addresses: vec!["office@guardpost.example".to_owned()],
        own_names: vec!["Guardpost".to_owned()],
    };
    let reader = settings.reader().unwrap();
    // As the child process does, on a stack of its size.
    let run = move || {
        fuzz("emails", &seeds, &WORDS, Duration::from_secs(20), |bytes| {
            reader.read(bytes, None);
            reader.read_header(bytes, None);
            fingerprint(bytes);
        });
    };
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    thread.spawn(run).unwrap().join().unwrap();
}
