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

#[cfg(test)]
mod tests {
    use super::{masked, meant};

    #[test]
    fn a_masked_address_stands_for_that_of_the_offer_only() {
        let own = "maria@property.example";
        assert_eq!(masked(own), "m***@property.example");
        assert_eq!(masked("m@a.example"), "m***@a.example");
        assert_eq!(masked(""), "");
        for (typed, address) in [
            ("m***@property.example", own),
            ("m***@other.example", "m***@other.example"),
            ("maria@property.example", own),
            ("boss@property.example", "boss@property.example"),
        ] {
            assert_eq!(meant(typed, own), address, "{typed}");
        }
    }
}
