//! Verification of messages signed by a wallet. `message` parses the text, `ethereum` and `solana`
//! check the signatures. The caller ensures that a message works only once, by
//! `VerifiedMessage::digest`.

mod ethereum;
mod message;
mod solana;

use reqwest::Url;
use sha2::{Digest, Sha256};

use crate::domain::clock::Time;
use message::Message;

/// Maximum difference in seconds between a message's `Issued At` and now, in both directions.
const MAX_AGE_SECONDS: i64 = 600;

/// The supported chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// EIP-4361 text, EIP-191 signature of an externally owned account.
    Ethereum,
    /// The same text with Solana's heading, Ed25519 signature.
    Solana,
}

impl Chain {
    /// The chain called `name` in a request.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ethereum" => Some(Self::Ethereum),
            "solana" => Some(Self::Solana),
            _ => None,
        }
    }

    /// Its name in requests and identities.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ethereum => "ethereum",
            Self::Solana => "solana",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Ethereum => "Ethereum",
            Self::Solana => "Solana",
        }
    }
}

/// Why a signed message is not accepted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text or the signature is malformed.
    #[error("{0}")]
    Malformed(&'static str),
    /// Well formed, but rejected: wrong signature, another site's message, or expired.
    #[error("{0}")]
    Rejected(&'static str),
}

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

/// Verifies a signed message against the site's origin and the time.
///
/// # Errors
/// `Malformed` for a malformed message or signature, `Rejected` for everything else.
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
        subject: format!("web3:{}:{address}", chain.name()),
        address,
        digest: hex::encode(Sha256::digest(text.as_bytes())),
        expires_at: message.issued_at.plus_seconds(2 * MAX_AGE_SECONDS),
    })
}

/// Domain and URI must match the site. Without TLS only a loopback address is accepted.
fn check_origin(message: &Message, origin: &str) -> Result<(), Error> {
    const FOREIGN: Error = Error::Rejected("The message was signed for another site");
    let site = Url::parse(origin).map_err(|_| FOREIGN)?;
    let authority = match (site.host_str(), site.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => return Err(FOREIGN),
    };
    if message.domain != authority || message.uri.origin() != site.origin() {
        return Err(FOREIGN);
    }
    if message
        .scheme
        .as_deref()
        .is_some_and(|scheme| scheme != site.scheme())
    {
        return Err(FOREIGN);
    }
    if site.scheme() != "https" && !is_loopback(&site) {
        return Err(Error::Rejected("The message was signed without https"));
    }
    Ok(())
}

fn is_loopback(site: &Url) -> bool {
    let host = site.host_str().unwrap_or_default();
    host == "localhost"
        || host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|ip| ip.is_loopback())
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
mod tests {
    use ed25519_dalek::{Signer, SigningKey};
    use proptest::prelude::*;

    use super::{Chain, Error, VerifiedMessage, verify};
    use crate::domain::clock::Time;

    const SITE: &str = "https://guard.example";

    fn at(text: &str) -> Time {
        Time::parse(text).unwrap()
    }

    /// Signs a Solana message with `domain`, `uri` and `fields` at a fixed time.
    fn solana(domain: &str, uri: &str, fields: &str, site: &str) -> Result<VerifiedMessage, Error> {
        let key = SigningKey::from_bytes(&[7; 32]);
        let address = bs58::encode(key.verifying_key().as_bytes()).into_string();
        let text = format!(
            "{domain} wants you to sign in with your Solana account:\n{address}\n\nSign in.\n\n\
             Version: 1\nURI: {uri}\nIssued At: 2026-11-21T12:00:00Z{fields}"
        );
        let signature = base64::Engine::encode(
            &base64::prelude::BASE64_URL_SAFE_NO_PAD,
            key.sign(text.as_bytes()).to_bytes(),
        );
        verify(
            Chain::Solana,
            &text,
            &signature,
            site,
            at("2026-11-21T12:05:00Z"),
        )
    }

    #[test]
    fn a_message_for_this_site_and_time_signs_its_address_in() {
        let who = solana("guard.example", "https://guard.example/admin", "", SITE).unwrap();
        assert_eq!(who.subject, format!("web3:solana:{}", who.address));
        assert_eq!(who.expires_at, at("2026-11-21T12:20:00Z"));
        assert_eq!(who.digest.len(), 64);
    }

    #[test]
    fn a_message_for_another_domain_or_url_is_rejected() {
        for (domain, uri) in [
            ("evil.example", "https://guard.example/"),
            ("guard.example", "https://evil.example/"),
            ("guard.example", "https://guard.example.evil.example/"),
            ("guard.example", "https://guard.example@evil.example/"),
            ("guard.example", "http://guard.example/"),
            ("guard.example", "https://guard.example:8443/"),
            ("guard.example:8443", "https://guard.example/"),
            ("sub.guard.example", "https://guard.example/"),
            ("http://guard.example", "https://guard.example/"),
        ] {
            assert!(
                matches!(solana(domain, uri, "", SITE), Err(Error::Rejected(_))),
                "{domain} {uri}"
            );
        }
    }

    #[test]
    fn a_site_without_tls_is_accepted_on_loopback_only() {
        let plain = "http://guard.example";
        assert!(solana("guard.example", plain, "", plain).is_err());
        for site in [
            "http://127.0.0.1:8080",
            "http://localhost:8080",
            "http://[::1]:8080",
        ] {
            assert!(
                solana(&site["http://".len()..], site, "", site).is_ok(),
                "{site}"
            );
        }
    }

    #[test]
    fn the_times_in_the_message_are_checked() {
        let ours = |fields| solana("guard.example", "https://guard.example/", fields, SITE);
        assert!(ours("\nExpiration Time: 2026-11-21T12:05:01Z").is_ok());
        assert!(ours("\nExpiration Time: 2026-11-21T12:05:00Z").is_err());
        assert!(ours("\nNot Before: 2026-11-21T12:05:00Z").is_ok());
        assert!(ours("\nNot Before: 2026-11-21T12:05:01Z").is_err());
    }

    proptest! {
        #[test]
        fn any_other_text_than_the_signed_one_is_rejected(
            at in 0..NOTEPAD.len(),
            c in any::<char>(),
        ) {
            prop_assume!(!NOTEPAD[at..].starts_with(c));
            let mut changed = NOTEPAD.to_owned();
            changed.replace_range(at..=at, c.encode_utf8(&mut [0; 4]));
            prop_assert!(verify_notepad(&changed).is_err());
        }

        #[test]
        fn no_text_makes_the_verification_fail_otherwise(
            text in "\\PC{64,200}",
            lines in "([ -~]{0,40}\n){0,12}",
        ) {
            let heading = "guard.example wants you to sign in with your Ethereum account:\n";
            for text in [text, format!("{heading}{lines}")] {
                prop_assert!(verify_notepad(&text).is_err());
            }
        }
    }

    fn verify_notepad(text: &str) -> Result<VerifiedMessage, Error> {
        verify(
            Chain::Ethereum,
            text,
            NOTEPAD_SIGNATURE,
            "http://localhost:4361",
            at("2021-12-07T18:30:00Z"),
        )
    }

    /// The example of EIP-4361's reference library, signed by a real wallet.
    const NOTEPAD: &str = "localhost:4361 wants you to sign in with your Ethereum account:\n\
                           0x6Da01670d8fc844e736095918bbE11fE8D564163\n\nSIWE Notepad Example\n\n\
                           URI: http://localhost:4361\nVersion: 1\nChain ID: 1\n\
                           Nonce: kEWepMt9knR6lWJ6A\nIssued At: 2021-12-07T18:28:18.807Z";
    const NOTEPAD_SIGNATURE: &str = "0x\
        6228b3ecd7bf2df018183aeab6b6f1db1e9f4e3cbe24560404112e25363540eb\
        679934908143224d746bbb5e1aa65ab435684081f4dbb74a0fec57f98f40f5051c";

    #[test]
    fn the_published_ethereum_message_is_accepted_within_ten_minutes_only() {
        let on = |now| {
            verify(
                Chain::Ethereum,
                NOTEPAD,
                NOTEPAD_SIGNATURE,
                "http://localhost:4361",
                at(now),
            )
        };
        let who = on("2021-12-07T18:38:18.807Z").unwrap();
        assert_eq!(
            who.subject,
            "web3:ethereum:0x6da01670d8fc844e736095918bbe11fe8d564163"
        );
        assert!(on("2021-12-07T18:18:18.807Z").is_ok());
        for late_or_early in ["2021-12-07T18:38:18.808Z", "2021-12-07T18:18:18.806Z"] {
            assert!(
                matches!(on(late_or_early), Err(Error::Rejected(_))),
                "{late_or_early}"
            );
        }
    }

    #[test]
    fn a_changed_message_is_rejected() {
        let changed = NOTEPAD.replace("Notepad", "Motepad");
        assert_eq!(
            verify_notepad(&changed),
            Err(Error::Rejected("The signature is not the address's"))
        );
    }
}
