//! The fingerprint of an email: the same whatever way it comes.

use sha2::{Digest, Sha256};

use super::headers::{self, Headers};
use super::mime::without_envelope_line;

/// A hash of what stays the same: its Message-ID, author and date, and its body without the ends of
/// lines. Servers on the way add fields to the header.
pub fn fingerprint(bytes: &[u8]) -> String {
    let bytes = without_envelope_line(bytes);
    let headers = Headers::of(&headers::raw(bytes).unwrap_or_default());
    let mut hash = Sha256::new();
    for name in ["message-id", "from", "date", "subject"] {
        hash.update(headers.first(name).unwrap_or_default());
        hash.update([0]);
    }
    for line in body_of(bytes).split(|byte| *byte == b'\n') {
        hash.update(line.trim_ascii_end());
        hash.update(b"\n");
    }
    hex::encode(hash.finalize())
}

/// The bytes below the header, without empty lines at their end.
fn body_of(bytes: &[u8]) -> &[u8] {
    let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
    let ends = ends.iter().filter_map(|end| {
        let at = memchr::memmem::find(bytes, end)?;
        Some(at + end.len())
    });
    let start = ends.min().unwrap_or(bytes.len());
    bytes[start..].trim_ascii_end()
}
