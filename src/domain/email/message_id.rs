//! The Message-IDs of our emails: `<NUMBER.TAG@company.example>`. The number is that of the row of
//! the outbox. The tag is a keyed MAC over it: a sender who has not received an email cannot name
//! it, and so cannot write into the request of another.

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// The length of a tag: 80 bits.
const TAG_BYTES: usize = 10;

/// An email of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EmailId {
    /// One of ours, by its number.
    Ours(i64),
    /// Another one, by its Message-ID with the angle brackets.
    Other(String),
}

/// Makes and verifies Message-IDs.
#[derive(Clone)]
pub struct MessageIds {
    key: Hmac<Sha256>,
}

impl MessageIds {
    /// The key must stay the same as long as answers to emails have to find their request.
    pub fn new(key: &[u8; 32]) -> Result<Self, hmac::digest::InvalidLength> {
        Ok(Self {
            key: Hmac::new_from_slice(key)?,
        })
    }

    /// The Message-ID of our email with this number, with the angle brackets.
    pub fn id(&self, number: i64, domain: &str) -> String {
        let tag = hex::encode(&self.mac(number).finalize().into_bytes()[..TAG_BYTES]);
        format!("<{number}.{tag}@{domain}>")
    }

    /// The email with this Message-ID: ours if its tag is valid. Takes the same time for every tag.
    pub fn read(&self, id: &str) -> EmailId {
        match self.number(id) {
            Some(number) => EmailId::Ours(number),
            None => EmailId::Other(id.to_owned()),
        }
    }

    fn number(&self, id: &str) -> Option<i64> {
        let (local, _) = id.trim_start_matches('<').split_once('@')?;
        let (number, tag) = local.split_once('.')?;
        let number = number.parse().ok()?;
        let tag: [u8; TAG_BYTES] = hex::decode(tag).ok()?.try_into().ok()?;
        let is_valid = self.mac(number).verify_truncated_left(&tag).is_ok();
        is_valid.then_some(number)
    }

    fn mac(&self, number: i64) -> Hmac<Sha256> {
        self.key.clone().chain_update(number.to_string())
    }
}
