//! Verification of messages signed by a wallet. `message` parses the text, `ethereum` and `solana`
//! check the signatures. The caller ensures that a message works only once, by
//! `VerifiedMessage::digest`.

mod chain;
mod ethereum;
mod message;
mod solana;

use reqwest::Url;
use sha2::{Digest, Sha256};

pub use chain::{Chain, Error};
use config::is_loopback;
use domain::clock::Time;
use message::Message;

/// Maximum difference in seconds between a message's `Issued At` and now, in both directions.
const MAX_AGE_SECONDS: i64 = 600;

/// A verified message and its signer.
#[derive(Debug, PartialEq, Eq)]
pub struct VerifiedMessage {
    /// The subject of the identity: `web3:<chain>:<address>`.
    pub subject: String,
    /// The address in the chain's notation (Ethereum: lower case).
    pub address: String,
    /// SHA-256 of the message in hex, stored until `expires_at` to prevent replay.
    pub digest: String,
    /// From this moment the message is rejected as too old.
    pub expires_at: Time,
}

/// Verifies a signed message against the site's origin and the time. Errors: `Malformed` for a
/// malformed message or signature, `Rejected` for everything else.
pub fn verify(
    chain: Chain,
    text: &str,
    signature: &str,
    origin: &str,
    now: Time,
) -> Result<VerifiedMessage, Error> {
    if !(64..=20_480).contains(&text.len()) {
        return Err(Error::Malformed("message must be 64 bytes to 20 KB long"));
    }
    let message = Message::parse(chain, text)?;
    let address = match chain {
        Chain::Ethereum => ethereum::verify(text, signature, &message.address)?,
        Chain::Solana => solana::verify(text, signature, &message.address)?,
    };
    check_origin(&message, origin)?;
    check_times(&message, now)?;
    Ok(VerifiedMessage {
        subject: format!("web3:{}:{address}", chain.as_str()),
        address,
        digest: hex::encode(Sha256::digest(text.as_bytes())),
        expires_at: message.issued_at.plus_seconds(2 * MAX_AGE_SECONDS),
    })
}

/// Domain and URI must match the site. Without TLS only a loopback address is accepted.
fn check_origin(message: &Message, origin: &str) -> Result<(), Error> {
    const FOREIGN: Error = Error::Rejected("The message was signed for another site");
    let site = Url::parse(origin).map_err(|_| FOREIGN)?;
    if message.domain != site.authority() || message.uri.origin() != site.origin() {
        return Err(FOREIGN);
    }
    if message
        .scheme
        .as_deref()
        .is_some_and(|scheme| scheme != site.scheme())
    {
        return Err(FOREIGN);
    }
    if site.scheme() != "https" && !site.host_str().is_some_and(is_loopback) {
        return Err(Error::Rejected("The message was signed without https"));
    }
    Ok(())
}

fn check_times(message: &Message, now: Time) -> Result<(), Error> {
    if (now.millis() - message.issued_at.millis()).abs() > MAX_AGE_SECONDS * 1000 {
        return Err(Error::Rejected(
            "The message was issued too long ago or in the future",
        ));
    }
    if message.expires_at.is_some_and(|at| at <= now) {
        return Err(Error::Rejected("The message has expired"));
    }
    if message.not_before.is_some_and(|at| at > now) {
        return Err(Error::Rejected("The message is not valid yet"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
