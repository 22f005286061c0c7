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

mod message {
    use super::super::Chain;
    use super::super::message::Message;

    const HEAD: &str = "guard.example wants you to sign in with your Solana account:\n\
                        7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q\n";
    const TAIL: &str =
        "Version: 1\nURI: https://guard.example/\nIssued At: 2026-11-21T12:00:00.000Z";

    #[test]
    fn a_message_is_read_with_and_without_statement_and_resources() {
        for text in [
            format!("{HEAD}\n{TAIL}"),
            format!("{HEAD}\n\n{TAIL}"),
            format!("{HEAD}\nSign in to Guardpost.\n\n{TAIL}"),
            format!("{HEAD}\n{TAIL}\nResources:\n- https://guard.example/a\n- https://b.example"),
            format!("{HEAD}\n{TAIL}\nResources\n- https://guard.example/a"),
            format!("{HEAD}\n{TAIL}\nChain ID: mainnet\nNonce: abcdefgh\nRequest ID: x"),
        ] {
            let message = Message::parse(Chain::Solana, &text).unwrap();
            assert_eq!(message.domain, "guard.example", "{text}");
            assert_eq!(message.uri.as_str(), "https://guard.example/");
        }
    }

    #[test]
    fn a_text_of_another_form_is_rejected() {
        for (text, why) in [
            (String::new(), "nothing"),
            (
                format!("{HEAD}\n{TAIL}").replace("Solana", "Ethereum"),
                "another chain's heading",
            ),
            (format!("{HEAD}{TAIL}"), "no empty line"),
            (
                format!("{HEAD}\n{TAIL}").replace("Version: 1", "Version: 2"),
                "version",
            ),
            (
                format!("{HEAD}\n{TAIL}").replace("Version: 1\n", ""),
                "no version",
            ),
            (
                format!("{HEAD}\n{TAIL}\nURI: https://evil.example/"),
                "two URIs",
            ),
            (
                format!("{HEAD}\nOne line\nand another\n\n{TAIL}"),
                "statement of two lines",
            ),
            (
                format!("{HEAD}\n{TAIL}\nGreeting: hello"),
                "an unknown field",
            ),
            (
                format!("{HEAD}\n{TAIL}").replace("T12:00:00.000Z", ""),
                "a day for a time",
            ),
            (format!("{HEAD}\n{TAIL}\nNot Before: soon"), "no time"),
            (
                format!("{HEAD}\n{TAIL}\nResources:\nhttps://x.example"),
                "a bare resource",
            ),
        ] {
            assert!(Message::parse(Chain::Solana, &text).is_err(), "{why}");
        }
    }
}

mod ethereum {
    use super::super::ethereum::verify;

    /// The example of the chain's own JavaScript library: `accounts.sign('Some data', key)`.
    const ADDRESS: &str = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23";
    const SIGNATURE: &str = "0x\
        b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd\
        6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c";

    #[test]
    fn the_published_signature_recovers_its_address() {
        assert_eq!(
            verify("Some data", SIGNATURE, ADDRESS).as_deref(),
            Ok("0x2c7536e3605d9c16a7a3d7b1898e529396a65c23")
        );
        let hardware = format!("{}01", &SIGNATURE[..130]);
        assert!(verify("Some data", &hardware, ADDRESS).is_ok());
    }

    #[test]
    fn any_other_text_address_or_signature_is_refused() {
        let other = ADDRESS.replace("2c75", "2c76");
        let parity = format!("{}1b", &SIGNATURE[..130]);
        let zero = format!("0x{}1c", "00".repeat(64));
        let recovery = format!("{}1d", &SIGNATURE[..130]);
        for (text, signature, address) in [
            ("Some date", SIGNATURE, ADDRESS),
            ("Some data", SIGNATURE, other.as_str()),
            ("Some data", parity.as_str(), ADDRESS),
            ("Some data", zero.as_str(), ADDRESS),
            ("Some data", recovery.as_str(), ADDRESS),
            ("Some data", &SIGNATURE[2..], ADDRESS),
            ("Some data", &SIGNATURE[..130], ADDRESS),
            ("Some data", "0x", ADDRESS),
            ("Some data", SIGNATURE, &ADDRESS[2..]),
        ] {
            assert!(
                verify(text, signature, address).is_err(),
                "{text} {signature} {address}"
            );
        }
    }
}

mod solana {
    use base64::Engine;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    use super::super::solana::verify;

    fn check(text: &str, signature: &[u8], key: &[u8]) -> bool {
        let address = bs58::encode(key).into_string();
        verify(text, &BASE64_URL_SAFE_NO_PAD.encode(signature), &address).is_ok()
    }

    #[test]
    fn the_vectors_of_rfc_8032_are_accepted_and_nothing_else() {
        let key = hex::decode("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
            .unwrap();
        let mut signature = hex::decode(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
             085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        )
        .unwrap();
        assert!(check("r", &signature, &key));
        assert!(!check("s", &signature, &key));
        assert!(!check("r", &signature[..63], &key));
        assert!(!check("r", &signature, &key[..31]));
        signature[0] ^= 1;
        assert!(!check("r", &signature, &key));
    }

    #[test]
    fn a_key_of_small_order_signs_nothing() {
        let mut neutral = [0; 32];
        neutral[0] = 1;
        let mut signature = [0; 64];
        signature[0] = 1;
        assert!(!check("any message at all", &signature, &neutral));
    }
}
