//! Compares a file with what is stored of an offer, and what is stored with its digests and seals.
//! Nothing is made anew: only bytes are compared.

use super::acceptance::{Acceptance, SealKey};
use super::types::{Digests, digest, from_json};
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

impl Digests {
    /// Those of the parts that are sent.
    pub fn of_parts(&self) -> [(Part, &str); 3] {
        [
            (Part::Json, &self.json),
            (Part::Text, &self.text),
            (Part::Pdf, &self.pdf),
        ]
    }
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
    let parts = [&stored.json, &stored.text, &stored.pdf];
    for ((part, wanted), bytes) in stored.digests.of_parts().into_iter().zip(parts) {
        if digest(bytes) != wanted {
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
    let sent = stored.digests.of_parts();
    for ((part, shown), (_, sent)) in record.digests.of_parts().into_iter().zip(sent) {
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
