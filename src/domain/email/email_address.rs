//! Email addresses of accounts.

use std::fmt;
use std::str::FromStr;

use lettre::message::Mailbox;
use lettre::{Address, Message};

use crate::text::is_invisible;

/// A valid email address, ASCII letters in lower case, at most 255 bytes (contract section 1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmailAddress(String);

impl EmailAddress {
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
        // A quoted local part or a host without a dot is valid (RFC 5321) but rare, and both have
        // been used for header injection.
        let plain = !text.chars().any(is_invisible)
            && !text.contains(['"', '(', ')', '[', ']', '<', '>', ',', ';', ' ', '\\'])
            && text
                .rsplit_once('@')
                .is_some_and(|(_, host)| host.contains('.'));
        if plain && text.len() <= 255 && is_mailable(&text) {
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

/// Whether email can be sent to and from this address: the mail library can write it into the
/// headers of an email. It accepts more where it reads an address by itself, such as
/// `office@[10.0.0.1]` and a quoted local part.
pub fn is_mailable(address: &str) -> bool {
    let address = address.parse::<Address>();
    address.is_ok_and(|address| is_mailable_box(&Mailbox::new(None, address)))
}

/// Whether email can be sent to and from this address by every mail server: an address of ours has
/// no others than ASCII characters, since a server without SMTPUTF8 refuses them for good (RFC
/// 6531).
pub fn is_mailable_everywhere(address: &str) -> bool {
    address.is_ascii() && is_mailable(address)
}

/// `is_mailable` of an address with a name.
pub fn is_mailable_box(mailbox: &Mailbox) -> bool {
    let headers = Message::builder()
        .from(mailbox.clone())
        .reply_to(mailbox.clone())
        .to(mailbox.clone());
    headers.body(String::new()).is_ok()
}

/// The mailbox that an address leads to, as limits count it: without case, `+tag` and the dots of
/// the local part. Some mail servers ignore them and do not say so, hence this form for all: two
/// people whose names differ by a dot share a limit.
pub fn mailbox_of(address: &str) -> String {
    let address = address.to_lowercase();
    let Some((local, domain)) = address.rsplit_once('@') else {
        return address;
    };
    let local = local.split('+').next().unwrap_or(local).replace('.', "");
    let domain = match domain {
        "googlemail.com" => "gmail.com",
        other => other,
    };
    format!("{local}@{domain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_mailable_if_an_email_can_be_sent_to_it() {
        for (address, mailable) in [
            ("office@guard.example", true),
            ("o'neil+desk@mail.guard.example", true),
            ("office@localhost", true),
            ("office@[10.0.0.1]", false),
            ("office@[IPv6:2001:db8::1]", false),
            ("\"the office\"@guard.example", false),
            ("\"office\"@guard.example", true),
            ("office", false),
            ("Office <office@guard.example>", false),
            ("", false),
        ] {
            assert_eq!(is_mailable(address), mailable, "{address}");
        }
    }

    #[test]
    fn an_address_of_ours_has_only_ascii() {
        for (address, usable) in [
            ("office@guard.example", true),
            ("office@xn--gard-0ra.example", true),
            ("\u{f6}ffice@guard.example", false),
            ("office@g\u{fc}ard.example", false),
            ("office@[10.0.0.1]", false),
        ] {
            assert_eq!(is_mailable_everywhere(address), usable, "{address}");
        }
    }

    #[test]
    fn a_name_never_makes_an_address_unmailable() {
        for name in [
            "",
            "A \"B\" C",
            "A, B <C>",
            "Wächter",
            "a@b",
            "\\",
            "=?x?",
            "(",
            ":;",
        ] {
            let address = "office@guard.example".parse().unwrap();
            let mailbox = Mailbox::new(Some(name.to_owned()), address);
            assert!(is_mailable_box(&mailbox), "{name:?}");
        }
    }

    #[test]
    fn addresses_of_one_mailbox_are_the_same() {
        for (address, mailbox) in [
            ("Ana@Dock.example", "ana@dock.example"),
            ("ana+1@dock.example", "ana@dock.example"),
            ("a.na+1+2@dock.example", "ana@dock.example"),
            ("Ana.Silva@Googlemail.com", "anasilva@gmail.com"),
            ("ana@mail.dock.example", "ana@mail.dock.example"),
            ("ana", "ana"),
        ] {
            assert_eq!(mailbox_of(address), mailbox, "{address}");
        }
    }

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
