use ed25519_compact::{KeyPair, Seed};

use super::{Chain, Error, VerifiedMessage, verify};
use domain::clock::Time;

const SITE: &str = "https://guard.example";

fn at(text: &str) -> Time {
    Time::parse(text).unwrap()
}

/// Signs a Solana message with `domain`, `uri` and `fields` at a fixed time.
fn solana(domain: &str, uri: &str, fields: &str, site: &str) -> Result<VerifiedMessage, Error> {
    let key = KeyPair::from_seed(Seed::new([7; 32]));
    let address = bs58::encode(*key.pk).into_string();
    let text = format!(
        "{domain} wants you to sign in with your Solana account:\n{address}\n\nSign in.\n\n\
         Version: 1\nURI: {uri}\nIssued At: 2026-11-21T12:00:00Z{fields}"
    );
    let signature = base64::Engine::encode(
        &base64::prelude::BASE64_URL_SAFE_NO_PAD,
        *key.sk.sign(&text, None),
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
