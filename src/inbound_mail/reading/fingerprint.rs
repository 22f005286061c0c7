//! The fingerprint of an email: the same whatever way it comes. The server itself finds it: this
//! reads lines and allocates nothing.

use sha2::{Digest, Sha256};

use super::headers::MAX_HEADER;
use super::mime::without_envelope_line;

/// A hash of what stays the same: its Message-ID, author and date, and its body without the ends of
/// lines. Servers on the way add fields to the header, and fold them otherwise.
pub fn fingerprint(bytes: &[u8]) -> String {
    let (header, body) = header_and_body(without_envelope_line(bytes));
    let header = &header[..header.len().min(MAX_HEADER)];
    let mut hash = Sha256::new();
    for name in ["message-id", "from", "date", "subject"] {
        for word in field(header, name).split(u8::is_ascii_whitespace) {
            hash.update(word);
        }
        hash.update([0]);
    }
    for line in body.split(|byte| *byte == b'\n') {
        hash.update(line.trim_ascii_end());
        hash.update(b"\n");
    }
    hex::encode(hash.finalize())
}

/// The value of the topmost field with this name, with its folds; empty without one.
fn field<'a>(header: &'a [u8], name: &str) -> &'a [u8] {
    let lines = |from: usize| header[from..].split_inclusive(|byte| *byte == b'\n');
    let mut at = 0;
    for line in lines(0) {
        at += line.len();
        let colon = memchr::memchr(b':', line).unwrap_or(0);
        if line[..colon]
            .trim_ascii_end()
            .eq_ignore_ascii_case(name.as_bytes())
        {
            let is_fold = |line: &&[u8]| line.starts_with(b" ") || line.starts_with(b"\t");
            let folds: usize = lines(at).take_while(is_fold).map(<[u8]>::len).sum();
            return &header[at - line.len() + colon + 1..at + folds];
        }
    }
    &[]
}

/// The header, and what is below it without empty lines at its end.
fn header_and_body(bytes: &[u8]) -> (&[u8], &[u8]) {
    let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
    let ends = ends.iter().filter_map(|end| {
        let at = memchr::memmem::find(bytes, end)?;
        Some(at + end.len())
    });
    let (header, body) = bytes.split_at(ends.min().unwrap_or(bytes.len()));
    (header, body.trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn an_email_has_one_fingerprint_whatever_servers_make_of_its_header_and_lines() {
        let sent = "Message-ID: <1@x.example>\r\nFrom: Maria <m@x.example>\r\n\
            Subject: A long\r\n subject\r\n\r\nwords  \r\nmore\r\n";
        let same = [
            sent.replace("\r\n", "\n"),
            sent.replace("\r\n subject", "\r\n\t subject"),
            format!("From maria Sat\nReceived: by y\r\n (z)\r\n{sent}\r\n"),
            sent.replace("Message-ID", "message-id"),
        ];
        for email in &same {
            assert_eq!(fingerprint(email.as_bytes()), fingerprint(sent.as_bytes()));
        }
        let others = ["<1@", "Maria", "subject", "words", "more"];
        for part in others {
            let email = sent.replace(part, "z");
            assert_ne!(fingerprint(email.as_bytes()), fingerprint(sent.as_bytes()));
        }
    }
}
