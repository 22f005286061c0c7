//! Links to the versions of offers, `/offer/NUMBER.VERSION-TAG`, and codes. A tag is a
//! keyed MAC over number and version, so that the link of one version opens no other.

use hmac::digest::InvalidLength;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The path of every offer, before its number.
pub const PREFIX: &str = "/offer/";
/// The length of a tag: 128 bits.
const TAG_BYTES: usize = 16;

/// Makes and verifies links and codes.
#[derive(Clone)]
pub struct OfferKeys {
    links: Hmac<Sha256>,
    codes: Hmac<Sha256>,
}

/// A version that a link names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferLink {
    /// As `GP-2K7Q-1`.
    pub number: String,
    pub version: u32,
}

impl OfferKeys {
    /// The keys must stay the same as long as links have to work.
    pub fn new(links: &[u8; 32], codes: &[u8; 32]) -> Result<Self, InvalidLength> {
        Ok(Self {
            links: Hmac::new_from_slice(links)?,
            codes: Hmac::new_from_slice(codes)?,
        })
    }

    /// The path of the page of a version.
    pub fn path(&self, number: &str, version: u32) -> String {
        let tag = self.tag(number, version).finalize().into_bytes();
        format!(
            "{PREFIX}{number}.{version}-{}",
            hex::encode(&tag[..TAG_BYTES])
        )
    }

    /// The version of a link's last part; `None` if the tag is wrong. Takes the same time for every
    /// tag, and for offers that do not exist.
    pub fn verify(&self, name: &str) -> Option<OfferLink> {
        let (version, tag) = name.rsplit_once('-')?;
        let (number, version) = version.rsplit_once('.')?;
        let tag: [u8; TAG_BYTES] = hex::decode(tag).ok()?.try_into().ok()?;
        let (number, version) = (number.to_ascii_uppercase(), version.parse().ok()?);
        let mac = self.tag(&number, version);
        let verified = mac.verify_truncated_left(&tag);
        verified.ok().map(|()| OfferLink { number, version })
    }

    /// The stored form of a code that was sent to `address` for an offer.
    pub fn code(&self, number: &str, address: &str, code: &str) -> String {
        let mac = self.codes.clone();
        let text = format!("{number}\n{}\n{code}", address.to_ascii_lowercase());
        hex::encode(mac.chain_update(text).finalize().into_bytes())
    }

    fn tag(&self, number: &str, version: u32) -> Hmac<Sha256> {
        self.links
            .clone()
            .chain_update(format!("{number}\n{version}"))
    }
}
