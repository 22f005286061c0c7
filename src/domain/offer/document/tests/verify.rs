//! Changes of stored documents are found.

use super::super::*;
use super::samples::{acceptance, fire_watch};

fn key() -> SealKey {
    SealKey::new(&[7; 32]).unwrap()
}

fn stored() -> Stored {
    let document = fire_watch();
    let (json, text) = (to_json(&document).unwrap(), text(&document).into_bytes());
    let pdf = pdf(&document).unwrap();
    let digests = Digests {
        json: digest(&json),
        text: digest(&text),
        pdf: digest(&pdf),
    };
    let before = digest(b"the acceptance before");
    let accepted = Acceptance {
        digests: digests.clone(),
        previous: before.clone(),
        ..acceptance()
    };
    let receipt = accepted.sealed(&key()).unwrap();
    let bytes = receipt_pdf(&document, &receipt).unwrap();
    Stored {
        number: document.number,
        version: document.version,
        json,
        text,
        pdf,
        digests,
        acceptance: Some(StoredAcceptance {
            record: receipt.acceptance.to_json().unwrap(),
            digest: receipt.digest,
            seal: receipt.seal,
            receipt_digest: digest(&bytes),
            receipt: bytes,
            previous: Some(before),
        }),
    }
}

/// Changes one bit of bytes at `place`.
fn flip(bytes: &mut [u8], place: usize) {
    let length = bytes.len();
    bytes[place % length] ^= 1 << (place % 7);
}

#[test]
fn each_of_a_thousand_changed_bytes_is_found_and_named() {
    let mut stored = stored();
    type Bytes = fn(&mut Stored) -> &mut Vec<u8>;
    let parts: [(&str, Bytes); 5] = [
        ("The data", |it| &mut it.json),
        ("The text", |it| &mut it.text),
        ("The PDF", |it| &mut it.pdf),
        ("The acceptance", |it| {
            &mut it.acceptance.as_mut().unwrap().record
        }),
        ("The receipt", |it| {
            &mut it.acceptance.as_mut().unwrap().receipt
        }),
    ];
    for round in 0..200 {
        for (name, bytes) in parts {
            flip(bytes(&mut stored), round * 7919);
            let expected = format!("{name} was changed after it was stored.");
            assert_eq!(faults(&stored, &key()).first(), Some(&expected));
            flip(bytes(&mut stored), round * 7919);
        }
    }
    assert!(faults(&stored, &key()).is_empty());
}

#[test]
fn digests_that_were_changed_with_the_bytes_do_not_hide_a_change() {
    let has = |stored: &Stored, words: &str| {
        let faults = faults(stored, &key());
        assert!(
            faults.iter().any(|fault| fault.contains(words)),
            "{faults:?}"
        );
    };
    let mut changed = stored();
    flip(&mut changed.text, 100);
    changed.digests.text = digest(&changed.text);
    has(&changed, "What was accepted is not the text that is stored");

    let mut changed = stored();
    let accepted = changed.acceptance.as_mut().unwrap();
    let record = String::from_utf8(accepted.record.clone()).unwrap();
    accepted.record = record.replace("Maria", "Mario").into_bytes();
    accepted.digest = digest(&accepted.record);
    has(
        &changed,
        "The seal of the acceptance is not that of this server",
    );

    let mut changed = stored();
    changed.acceptance.as_mut().unwrap().previous = None;
    has(&changed, "The acceptance before this one is missing");

    let mut changed = stored();
    changed.version = 3;
    has(&changed, "The data is that of another offer or version");
    has(
        &changed,
        "The acceptance is that of another offer or version",
    );
}
