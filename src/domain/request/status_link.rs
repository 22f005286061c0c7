//! Links to the status page of a request: `/case/REFERENCE-TAG`. The tag is a keyed MAC over the
//! reference, so that pages cannot be found by trying references.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::reference;

/// The path of every status page, before the reference.
pub const PREFIX: &str = "/case/";
/// The length of a tag: 128 bits.
const TAG_BYTES: usize = 16;

/// Makes and verifies links.
#[derive(Clone)]
pub struct StatusLinks(Hmac<Sha256>);

impl StatusLinks {
    /// The key must stay the same as long as links have to work.
    pub fn new(key: &[u8; 32]) -> Result<Self, hmac::digest::InvalidLength> {
        Hmac::new_from_slice(key).map(Self)
    }

    /// The path of the status page of the request with this reference.
    pub fn path(&self, reference: &str) -> String {
        let tag = self.mac(reference).finalize().into_bytes();
        format!("{PREFIX}{reference}-{}", hex::encode(&tag[..TAG_BYTES]))
    }

    /// The reference of a link's last part, `REFERENCE-TAG`; `None` if the tag is wrong. Takes the
    /// same time for every tag, and for references that do not exist.
    pub fn verify(&self, name: &str) -> Option<String> {
        let (reference, tag) = name.rsplit_once('-')?;
        let tag: [u8; TAG_BYTES] = hex::decode(tag).ok()?.try_into().ok()?;
        let reference = reference::parse(reference)?;
        let mac = self.mac(&reference);
        mac.verify_truncated_left(&tag).ok().map(|()| reference)
    }

    fn mac(&self, reference: &str) -> Hmac<Sha256> {
        self.0.clone().chain_update(reference)
    }
}
