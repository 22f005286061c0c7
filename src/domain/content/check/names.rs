//! Rules of names.

/// Whether it is the name of a stored picture: a digest of its bytes.
pub(super) fn is_picture_name(text: &str) -> bool {
    text.strip_suffix(".jpg").is_some_and(|digest| {
        digest.len() == 24
            && digest
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    })
}

pub(super) fn is_slug(text: &str) -> bool {
    (1..=60).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}
