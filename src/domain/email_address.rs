//! Email addresses of accounts.

use std::fmt;
use std::str::FromStr;

use super::text::is_invisible;

/// A valid email address, ASCII letters in lower case, at most 255 bytes (contract section 1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EmailAddress {
    type Err = InvalidEmailAddress;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Only ASCII: Unicode lower-cases the Kelvin sign to `k`, and so maps one address to
        // another.
        let text = text.trim().to_ascii_lowercase();
        // A quoted local part or a host without a dot is valid (RFC 5321) but not used by people,
        // and both have been used for header injection.
        let plain = !text.chars().any(is_invisible)
            && !text.contains(['"', '(', ')', '[', ']', '<', '>', ',', ';', ' ', '\\'])
            && text
                .rsplit_once('@')
                .is_some_and(|(_, host)| host.contains('.'));
        if plain && text.len() <= 255 && email_address::EmailAddress::is_valid(&text) {
            Ok(Self(text))
        } else {
            Err(InvalidEmailAddress)
        }
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is not a valid email address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an email address")]
pub struct InvalidEmailAddress;

#[cfg(test)]
mod tests {
    use super::EmailAddress;

    #[test]
    fn addresses_are_validated_and_lower_cased() {
        for (text, kept) in [
            ("Ada@Example.COM", Some("ada@example.com")),
            (" ada@example.com ", Some("ada@example.com")),
            (
                "ada+desk@mail.example.com",
                Some("ada+desk@mail.example.com"),
            ),
            ("\u{212a}ate@example.com", Some("\u{212a}ate@example.com")),
            ("ada", None),
            ("ada@localhost", None),
            ("ada@example.com, eve@example.com", None),
            ("\"ada eve\"@example.com", None),
            ("ada@[127.0.0.1]", None),
            ("<ada@example.com>", None),
            ("ada@exam\nple.com", None),
            ("ada\u{202e}@example.com", None),
            ("ad\u{200b}a@example.com", None),
            ("", None),
        ] {
            let read = text.parse::<EmailAddress>().ok();
            assert_eq!(read.as_ref().map(EmailAddress::as_str), kept, "{text:?}");
        }
        assert!(
            format!("{}@example.com", "a".repeat(300))
                .parse::<EmailAddress>()
                .is_err()
        );
    }
}
