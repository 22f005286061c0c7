//! The signed address to which a customer's answer is sent: `office+c.2k7q.TAG@company.example`.
//! The tag is a keyed MAC over the reference, so that an address cannot be guessed. It has no
//! capital letters: mail servers may change the case of addresses.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::request::reference;

/// The beginning of what is between the plus sign and the at sign.
const PREFIX: &str = "c.";
/// The length of a tag: 80 bits.
const TAG_BYTES: usize = 10;

/// Makes and verifies addresses.
#[derive(Clone)]
pub struct ReplyAddresses {
    key: Hmac<Sha256>,
    /// `None` if there is none that accepts the addresses.
    mailbox: Option<Mailbox>,
}

/// An email address in two parts.
#[derive(Clone)]
struct Mailbox {
    /// Before the at sign.
    local: String,
    domain: String,
}

impl ReplyAddresses {
    /// The addresses at `mailbox`, as in `office@company.example`; empty: none are made. The key
    /// must stay the same as long as addresses have to work.
    pub fn new(key: &[u8; 32], mailbox: &str) -> Result<Self, hmac::digest::InvalidLength> {
        let mailbox = mailbox.rsplit_once('@');
        Ok(Self {
            key: Hmac::new_from_slice(key)?,
            mailbox: mailbox.map(|(local, domain)| Mailbox {
                local: local.to_owned(),
                domain: domain.to_owned(),
            }),
        })
    }

    /// Whether there is a mailbox that accepts the addresses.
    pub const fn has_mailbox(&self) -> bool {
        self.mailbox.is_some()
    }

    /// The address for answers about the request with this reference; `None` without a mailbox.
    pub fn address(&self, reference: &str) -> Option<String> {
        let Mailbox { local, domain } = self.mailbox.as_ref()?;
        let tag = hex::encode(&self.mac(reference).finalize().into_bytes()[..TAG_BYTES]);
        let short = reference.trim_start_matches("GP-").to_ascii_lowercase();
        Some(format!("{local}+{PREFIX}{short}.{tag}@{domain}"))
    }

    /// The reference in the first signed address in `text`, in any case. Takes the same time for
    /// every tag.
    pub fn find(&self, text: &str) -> Option<String> {
        let text = text.to_ascii_lowercase();
        let starts = text.match_indices(PREFIX).map(|(at, _)| at + PREFIX.len());
        starts
            .filter_map(|start| self.verify(&text[start..]))
            .next()
    }

    /// The reference at the beginning of `2k7q.TAG…`.
    fn verify(&self, text: &str) -> Option<String> {
        let (short, rest) = text.split_once('.')?;
        let reference = reference::parse(short).filter(|_| !short.contains('-'))?;
        let tag = rest.get(..2 * TAG_BYTES)?;
        let is_longer = rest[2 * TAG_BYTES..].starts_with(|c: char| c.is_ascii_alphanumeric());
        let tag: [u8; TAG_BYTES] = hex::decode(tag).ok()?.try_into().ok()?;
        let mac = self.mac(&reference);
        let is_valid = mac.verify_truncated_left(&tag).is_ok() && !is_longer;
        is_valid.then_some(reference)
    }

    fn mac(&self, reference: &str) -> Hmac<Sha256> {
        self.key.clone().chain_update(reference)
    }
}
