//! The customer's address on the page: masked, since a link can be forwarded.

/// An address as `m***@property.example`.
pub(super) fn masked(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((local, domain)) => {
            let first: String = local.chars().take(1).collect();
            format!("{first}***@{domain}")
        }
        None => String::new(),
    }
}

/// The address that a form was filled in with: `recipient` if it was left masked.
pub(super) fn meant<'a>(typed: &'a str, recipient: &'a str) -> &'a str {
    match typed == masked(recipient) {
        true => recipient,
        false => typed,
    }
}
