//! What a file is: a part of an offer that was sent or accepted, or neither; and whether what is
//! stored of it is unchanged.

use super::document::{Acceptance, Part, SealKey, Stored, digest, faults};

/// A file that is a part of a stored version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub number: String,
    pub version: u32,
    pub part: Part,
    /// If the version was accepted.
    pub accepted: Option<Accepted>,
    /// What is stored otherwise than it was sent or accepted.
    pub faults: Vec<String>,
}

/// Who accepted a version, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub name: String,
    /// RFC 3339 UTC with milliseconds.
    pub at: String,
}

/// Compares a file with a stored version by its digest; `None` if it is no part of it. The digests
/// in a sealed acceptance count too, so that a changed row does not hide what was accepted.
pub fn compare(file: &[u8], stored: &Stored, key: &SealKey) -> Option<Finding> {
    let file = digest(file);
    let accepted = stored.acceptance.as_ref();
    let record: Option<Acceptance> =
        accepted.and_then(|accepted| serde_json::from_slice(&accepted.record).ok());
    let shown = record.iter().flat_map(|record| record.digests.of_parts());
    let mut parts = stored.digests.of_parts().into_iter().chain(shown);
    let part = parts.find(|(_, digest)| file == *digest);
    let part = part.map(|(part, _)| part).or_else(|| {
        let accepted = accepted?;
        match () {
            () if file == accepted.receipt_digest => Some(Part::Receipt),
            () if file == accepted.digest => Some(Part::Acceptance),
            () => None,
        }
    })?;
    Some(Finding {
        number: stored.number.clone(),
        version: stored.version,
        part,
        accepted: record.as_ref().map(|record| Accepted {
            name: record.name.clone(),
            at: record.accepted_at.clone(),
        }),
        faults: faults(stored, key),
    })
}
