//! The characters of a text: by the label that its sender gave it, by what the bytes are, and in
//! windows-1252 where both are silent. Nothing becomes a replacement character that can be read.

use encoding_rs::{EUC_KR, Encoding, GBK, ISO_2022_JP, UTF_8, WINDOWS_1252};
use mail_parser::decoders::charsets::map::charset_decoder;

/// Labels that the WHATWG list does not have, and the encoding that they mean there.
const ALIASES: [(&str, &str); 15] = [
    ("cp932", "shift_jis"),
    ("cp943", "shift_jis"),
    ("cp936", "gbk"),
    ("ms936", "gbk"),
    ("euc-cn", "gbk"),
    ("cp949", "euc-kr"),
    ("ms949", "euc-kr"),
    ("uhc", "euc-kr"),
    ("cp950", "big5"),
    ("iso-2022-jp-ms", "iso-2022-jp"),
    ("cp50220", "iso-2022-jp"),
    ("cp50221", "iso-2022-jp"),
    ("cp50222", "iso-2022-jp"),
    ("8859-1", "iso-8859-1"),
    ("latin-1", "latin1"),
];
/// The least characters of a label that is taken for the beginning of a longer one.
const MIN_LABEL: usize = 4;

/// The text of `bytes`; `label` is empty if the sender gave none.
pub(super) fn decoded(bytes: &[u8], label: &str) -> String {
    let label = plain(label);
    match label.as_str() {
        "iso-2022-kr" | "csiso2022kr" => return EUC_KR.decode(&shifted_korean(bytes)).0.into(),
        "hz-gb-2312" | "hz" => return GBK.decode(&shifted_chinese(bytes)).0.into(),
        "utf-7" | "unicode-1-1-utf-7" => return by_parser(bytes, "utf-7"),
        // Code page 437 has the letters of 850 at the same places.
        "cp850" | "cp-850" | "ibm850" | "850" | "cp437" | "cp-437" | "ibm437" | "437" => {
            return by_parser(bytes, "cp850");
        }
        _ => {}
    }
    let named = encoding(&label);
    let is_guessed = named.is_none_or(|it| it == UTF_8 || it == WINDOWS_1252);
    if !is_guessed {
        let encoding = named.unwrap_or(UTF_8);
        return match encoding == ISO_2022_JP {
            true => japanese(bytes),
            false => encoding.decode(bytes).0.into_owned(),
        };
    }
    let begins_japanese = memchr::memmem::find(bytes, b"\x1b$").is_some();
    if begins_japanese && !bytes.iter().any(|byte| *byte > 0x7f) {
        return japanese(bytes);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match (std::str::from_utf8(bytes), named) {
        (Ok(text), _) => text.to_owned(),
        (Err(_), Some(named)) if named == WINDOWS_1252 => named.decode(bytes).0.into_owned(),
        _ => mixed(bytes),
    }
}

/// ISO-2022-JP. Programs that join texts leave and enter Japanese at one place, which decoders take
/// for an attack.
fn japanese(bytes: &[u8]) -> String {
    let leaves_and_enters = b"\x1b(B\x1b$B";
    let mut joined = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, leaves_and_enters) {
        joined.extend_from_slice(&rest[..at]);
        rest = &rest[at + leaves_and_enters.len()..];
    }
    joined.extend_from_slice(rest);
    ISO_2022_JP.decode(&joined).0.into_owned()
}

/// UTF-8, and what is none in windows-1252.
fn mixed(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode(chunk.invalid()).0);
    }
    text
}

fn by_parser(bytes: &[u8], label: &str) -> String {
    match charset_decoder(label.as_bytes()) {
        Some(decode) => decode(bytes),
        None => mixed(bytes),
    }
}

/// A label in lower case, with hyphens for underscores and without quotes.
fn plain(label: &str) -> String {
    let is_label = |c: char| c.is_ascii_alphanumeric() || "-_:.+()".contains(c);
    let label = label.trim_matches(|c: char| !is_label(c));
    let label: String = label.chars().take_while(|c| is_label(*c)).collect();
    label.to_ascii_lowercase().replace('_', "-")
}

/// The encoding with this label, or whose label it begins with (`utf8mb4`).
fn encoding(label: &str) -> Option<&'static Encoding> {
    (MIN_LABEL.min(label.len())..=label.len())
        .rev()
        .filter(|end| *end > 0)
        .find_map(|end| known(label.get(..end)?))
}

fn known(label: &str) -> Option<&'static Encoding> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == label);
    let label = alias.map_or(label, |(_, label)| label);
    if label.starts_with("ks-c") {
        return Some(EUC_KR);
    }
    // The list writes some labels with underscores (`gb_2312`).
    let found = Encoding::for_label_no_replacement(label.as_bytes());
    found.or_else(|| Encoding::for_label_no_replacement(label.replace('-', "_").as_bytes()))
}

/// ISO-2022-KR (RFC 1557) as EUC-KR: the bytes between SO and SI get their high bit.
fn shifted_korean(bytes: &[u8]) -> Vec<u8> {
    let mut is_korean = false;
    let mut shifted = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            0x0e => is_korean = true,
            0x0f => is_korean = false,
            // The header of a text in this encoding.
            0x1b => rest = after.strip_prefix(b"$)C").unwrap_or(after),
            0x21..=0x7e if is_korean => shifted.push(byte | 0x80),
            _ => shifted.push(*byte),
        }
    }
    shifted
}

/// HZ (RFC 1843) as GBK: the bytes between `~{` and `~}` get their high bit.
fn shifted_chinese(bytes: &[u8]) -> Vec<u8> {
    let mut is_chinese = false;
    let mut shifted = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after.first()) {
            (b'~', Some(b'{')) => is_chinese = true,
            (b'~', Some(b'}')) => is_chinese = false,
            (b'~', Some(b'~')) if !is_chinese => shifted.push(b'~'),
            (b'~', Some(b'\n')) => {}
            (0x21..=0x7e, _) if is_chinese => {
                shifted.push(byte | 0x80);
                continue;
            }
            _ => {
                shifted.push(*byte);
                continue;
            }
        }
        rest = after.get(1..).unwrap_or_default();
    }
    shifted
}
