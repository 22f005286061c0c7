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

#[cfg(test)]
mod tests {
    use super::{EmailId, MessageIds};

    #[test]
    fn an_id_is_ours_with_the_tag_of_its_number_and_our_key_only() {
        let ours = MessageIds::new(&[1; 32]).unwrap();
        let id = ours.id(28_723_683_921_088, "guard.example");
        assert!(id.starts_with("<28723683921088.") && id.ends_with("@guard.example>"));
        assert_eq!(ours.read(&id), EmailId::Ours(28_723_683_921_088));
        let moved = id.replace("guard.example", "other.example");
        assert_eq!(ours.read(&moved), EmailId::Ours(28_723_683_921_088));
        let others = MessageIds::new(&[2; 32]).unwrap();
        let last = if id.contains("0@") { "1@" } else { "0@" };
        let at = id.find('@').unwrap();
        for wrong in [
            others.id(28_723_683_921_088, "guard.example"),
            id.replace("21088.", "21089."),
            id.replace("21088.", "21088.00"),
            format!("{}{last}{}", &id[..at - 1], &id[at + 1..]),
            format!("{}{}", &id[..at - 2], &id[at..]),
            "<28723683921088@guard.example>".to_owned(),
            "<28723683921088.@guard.example>".to_owned(),
            "<é.éé@x>".to_owned(),
            "<>".to_owned(),
        ] {
            assert_eq!(ours.read(&wrong), EmailId::Other(wrong.clone()), "{wrong}");
        }
    }
}
