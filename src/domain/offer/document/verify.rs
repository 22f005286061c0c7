//! Compares a file with what is stored of an offer, and what is stored with its digests and seals.
//! Nothing is made anew: only bytes are compared.

use super::acceptance::{Acceptance, SealKey};
use super::canonical::digest;
use super::types::{Digests, from_json};
use super::words::sentence;

/// What is stored of a version.
pub struct Stored {
    pub number: String,
    pub version: u32,
    pub json: Vec<u8>,
    pub text: Vec<u8>,
    pub pdf: Vec<u8>,
    /// As written when it was sent.
    pub digests: Digests,
    pub acceptance: Option<StoredAcceptance>,
}

/// What is stored of the acceptance of a version.
pub struct StoredAcceptance {
    /// The canonical JSON.
    pub record: Vec<u8>,
    pub digest: String,
    pub seal: String,
    /// The PDF of the receipt.
    pub receipt: Vec<u8>,
    pub receipt_digest: String,
    /// The digest of the stored acceptance before this one; none if this is the first.
    pub previous: Option<String>,
}

/// A part of a version that a file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Json,
    Text,
    Pdf,
    Acceptance,
    Receipt,
}

impl Part {
    /// What the part is called, in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "the data",
            Self::Text => "the text",
            Self::Pdf => "the PDF",
            Self::Acceptance => "the acceptance",
            Self::Receipt => "the receipt",
        }
    }
}

/// What was changed since it was sent or accepted, a sentence each.
pub fn faults(stored: &Stored, key: &SealKey) -> Vec<String> {
    let mut faults = Vec::new();
    let Digests { json, text, pdf } = &stored.digests;
    for (part, bytes, wanted) in [
        (Part::Json, &stored.json, json),
        (Part::Text, &stored.text, text),
        (Part::Pdf, &stored.pdf, pdf),
    ] {
        if digest(bytes) != *wanted {
            faults.push(changed(part.name()));
        }
    }
    let document = from_json(&stored.json).ok();
    let names = document.map(|document| (document.number, document.version));
    if names != Some((stored.number.clone(), stored.version)) {
        faults.push("The data is that of another offer or version.".to_owned());
    }
    if let Some(accepted) = &stored.acceptance {
        check_acceptance(stored, accepted, key, &mut faults);
    }
    faults
}

fn check_acceptance(
    stored: &Stored,
    accepted: &StoredAcceptance,
    key: &SealKey,
    faults: &mut Vec<String>,
) {
    if digest(&accepted.record) != accepted.digest {
        faults.push(changed(Part::Acceptance.name()));
    }
    if !key.is_seal(&accepted.digest, &accepted.seal) {
        faults.push("The seal of the acceptance is not that of this server.".to_owned());
    }
    if digest(&accepted.receipt) != accepted.receipt_digest {
        faults.push(changed(Part::Receipt.name()));
    }
    let Ok(record) = serde_json::from_slice::<Acceptance>(&accepted.record) else {
        faults.push("The acceptance cannot be read.".to_owned());
        return;
    };
    if (&record.number, record.version) != (&stored.number, stored.version) {
        faults.push("The acceptance is that of another offer or version.".to_owned());
    }
    let shown = &record.digests;
    let sent = &stored.digests;
    for (part, shown, sent) in [
        (Part::Json, &shown.json, &sent.json),
        (Part::Text, &shown.text, &sent.text),
        (Part::Pdf, &shown.pdf, &sent.pdf),
    ] {
        if shown != sent {
            let name = part.name();
            faults.push(format!("What was accepted is not {name} that is stored."));
        }
    }
    if record.previous != accepted.previous.as_deref().unwrap_or_default() {
        faults.push("The acceptance before this one is missing or another one.".to_owned());
    }
}

fn changed(name: &str) -> String {
    sentence(&format!("{name} was changed after it was stored."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offer::document::tests::samples::{acceptance, fire_watch};
    use crate::offer::document::{pdf, receipt_pdf, text, to_json};

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
}
