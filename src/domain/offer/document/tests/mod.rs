//! Documents, their bytes and their seals.

pub(super) mod samples;
mod verify;

use self::samples::{acceptance, fire_watch, ongoing};
use super::*;

#[test]
fn the_same_document_has_the_same_bytes_and_comes_back_from_them() {
    let document = ongoing();
    let bytes = to_json(&document).unwrap();
    assert_eq!(bytes, to_json(&document.clone()).unwrap());
    assert_eq!(from_json(&bytes).unwrap(), document);
    assert_eq!(bytes, to_json(&from_json(&bytes).unwrap()).unwrap());
    let other = Document {
        version: 3,
        ..document
    };
    assert_ne!(digest(&bytes), digest(&to_json(&other).unwrap()));
}

#[test]
fn the_bytes_of_a_document_stay_the_same_from_one_build_to_the_next() {
    let golden = include_str!("../../../../tests/golden/offer.json");
    let written = String::from_utf8(to_json(&ongoing()).unwrap()).unwrap();
    assert_eq!(written, golden.trim_end());
}

#[test]
fn the_summary_says_what_where_from_when_how_much_and_until_when() {
    assert_eq!(
        summary(&fire_watch()),
        "Fire watch officer in Houston, TX, 24 hours a day, from Friday, December 4, 2026 to \
         Thursday, December 10, 2026: $6,392.81 total, including tax. The offer is valid through \
         December 9, 2026."
    );
    assert_eq!(
        summary(&ongoing()),
        "2 posts in Houston, TX, from Friday, December 4, 2026, ongoing: $17,015.80 a week, \
         including tax. The offer is valid through December 9, 2026."
    );
    let mut nameless = fire_watch();
    for post in &mut nameless.terms.posts {
        post.city.clear();
    }
    let (said, first) = (
        summary(&nameless),
        first_shift(&nameless).unwrap_or_default(),
    );
    assert!(
        said.starts_with("Fire watch officer in Texas, 24 hours"),
        "{said}"
    );
    assert!(first.ends_with(", Texas"), "{first}");
}

#[test]
fn the_text_shows_all_of_a_document_in_the_order_of_reading() {
    let expected = include_str!("../../../../tests/golden/offer.txt");
    assert_eq!(text(&fire_watch()), expected);
    let text = text(&ongoing());
    for line in [
        "Gate, Houston, TX\n  Unarmed officer\n  Monday to Friday, 6:00 PM to 6:00 AM",
        "Post 2, Houston, TX\n  2 × Armed officer",
        "Other:\nGuard booth with heating: $180.00\nSubtotal",
        "Gate:\nUnarmed officer, Monday to Friday, 6:00 PM to 6:00 AM: $",
        "Post 2:\n2 × Armed officer, 24 hours a day: $",
        "Discount: −",
        "  Two sites under one agreement",
        "Total for a week: ",
    ] {
        assert!(text.contains(line), "{line}\nis missing in\n{text}");
    }
    assert!(!text.contains("by hand"), "{text}");
}

#[test]
fn rates_that_the_office_has_not_confirmed_are_marked() {
    let mut document = fire_watch();
    assert!(!text(&document).contains("Sample: the rates"));
    document.is_sample = true;
    assert!(text(&document).contains("Sample: the rates"));
}

#[test]
fn a_seal_is_that_of_its_acceptance_and_its_key_only() {
    let acceptance = acceptance();
    let key = SealKey::new(&[1; 32]).unwrap();
    let receipt = acceptance.clone().sealed(&key).unwrap();
    assert_eq!(receipt.digest, digest(&acceptance.to_json().unwrap()));
    assert!(key.is_seal(&receipt.digest, &receipt.seal));
    assert!(
        !SealKey::new(&[2; 32])
            .unwrap()
            .is_seal(&receipt.digest, &receipt.seal)
    );
    let changed = Acceptance {
        name: "Mario Lopez".to_owned(),
        ..acceptance
    };
    let changed = digest(&changed.to_json().unwrap());
    assert!(!key.is_seal(&changed, &receipt.seal));
    assert!(!key.is_seal(&receipt.digest, "zz"));
}
