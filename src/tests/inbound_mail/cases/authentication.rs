//! The forms of `Authentication-Results` (RFC 8601), and what is aligned (RFC 7489).

use super::{SERVER, reader};

/// Whether the author at `domain` is verified by these fields, from the top.
fn is_verified(fields: &[String], domain: &str) -> bool {
    let fields: String = fields
        .iter()
        .map(|field| format!("Authentication-Results: {field}\r\n"))
        .collect();
    let email = format!("{fields}From: Maria <maria@{domain}>\r\n\r\nx");
    reader().read(email.as_bytes(), None).email.is_verified
}

#[test]
fn a_field_of_our_server_is_read_by_its_grammar() {
    let fields: Vec<(String, String, bool)> =
        serde_json::from_str(include_str!("authentication.json")).unwrap();
    for (what, field, verified) in fields {
        let field = format!("{SERVER}; {field}");
        assert_eq!(
            is_verified(std::slice::from_ref(&field), "property.example"),
            verified,
            "{what}: {field}"
        );
    }
}

#[test]
fn only_the_topmost_field_decides_and_only_if_it_is_of_our_server() {
    let cases: Vec<(String, Vec<String>, bool)> =
        serde_json::from_str(include_str!("topmost.json")).unwrap();
    for (what, fields, verified) in cases {
        let is_verified = is_verified(&fields, "property.example");
        assert_eq!(is_verified, verified, "{what}: {fields:?}");
    }
}

#[test]
fn a_server_without_a_name_verifies_nothing() {
    let mut reader = reader();
    reader.authserv_id = String::new();
    for server in ["\"\"", "mx.evil.example"] {
        let results = format!("{server}; dmarc=pass header.from=property.example");
        let email = format!("Authentication-Results: {results}\nFrom: m@property.example\n\nx");
        assert!(
            !reader.read(email.as_bytes(), None).email.is_verified,
            "{server}"
        );
    }
}

#[test]
fn domains_are_aligned_within_one_organization_of_the_public_suffix_list() {
    for (author, signed, aligned) in [
        ("property.com", "property.com", true),
        ("property.com", "mail.property.com", true),
        ("mail.property.com", "property.com", true),
        ("a.property.com", "b.property.com", true),
        ("property.com", "notproperty.com", false),
        ("property.com", "com", false),
        ("property.co.uk", "mail.property.co.uk", true),
        ("property.co.uk", "other.co.uk", false),
        ("property.co.uk", "co.uk", false),
        ("co.uk", "property.co.uk", false),
        ("property.github.io", "other.github.io", false),
        ("property.github.io", "github.io", false),
        ("property.example", "mail.property.example", true),
        ("property.example", "example", false),
        ("property.com", "", false),
        ("property.com", "PROPERTY.COM", true),
    ] {
        let results = format!("{SERVER}; dkim=pass header.d={signed}");
        assert_eq!(
            is_verified(&[results], author),
            aligned,
            "{author} by {signed}"
        );
        let results = format!("{SERVER}; spf=pass smtp.mailfrom=x@{signed}");
        assert_eq!(
            is_verified(&[results], author),
            aligned,
            "{author} by {signed}"
        );
        // DMARC judges the domain of the author itself.
        let results = format!("{SERVER}; dmarc=pass header.from={signed}");
        let is_same = signed.eq_ignore_ascii_case(author);
        assert_eq!(
            is_verified(&[results], author),
            is_same,
            "{author} by {signed}"
        );
    }
}
