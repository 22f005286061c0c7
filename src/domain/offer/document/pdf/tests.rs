//! What readers of PDF find in the files: `qpdf` and poppler judge them.

use std::path::Path;
use std::process::Command;

use super::super::tests::samples::{
    acceptance, always, document, fire_watch, ongoing, post, terms,
};
use super::super::{Document, Receipt, SealKey};
use super::{pdf, receipt_pdf};

fn receipt() -> Receipt {
    let key = SealKey::new(&[1; 32]).unwrap();
    acceptance().sealed(&key).unwrap()
}

/// The output of a program of PDF files; none where it is not installed, which is said.
pub(crate) fn judged(program: &str, arguments: &[&str], bytes: &[u8]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("offer.pdf");
    std::fs::write(&file, bytes).unwrap();
    let mut command = Command::new(program);
    let with_file = |argument: &&str| match *argument {
        "FILE" => file.clone(),
        other => Path::new(other).to_path_buf(),
    };
    let output = command.args(arguments.iter().map(with_file)).output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: {program} is not installed (src/tests/offers/tools.sh)");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {text}{errors}");
    Some(text)
}

pub(crate) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the text of a file has these parts, one after the other; `None` if there is no
/// program that reads it.
pub(crate) fn reads(bytes: &[u8], parts: &[&str]) -> Option<()> {
    let text = words(&judged("pdftotext", &["-raw", "FILE", "-"], bytes)?);
    let mut rest = text.as_str();
    for part in parts {
        let after = rest.split_once(part).map(|(_, after)| after);
        assert!(after.is_some(), "{part} is missing after: {rest}");
        rest = after.unwrap();
    }
    Some(())
}

/// Checks the structure of a file and that it is tagged. Returns its number of pages.
pub(crate) fn check(bytes: &[u8]) -> Option<usize> {
    let text = judged("qpdf", &["--check", "FILE"], bytes)?;
    assert!(
        text.contains("No syntax or stream encoding errors"),
        "{text}"
    );
    let about = words(&judged("pdfinfo", &["FILE"], bytes)?);
    assert!(about.contains("Tagged: yes"), "{about}");
    assert!(
        about.contains("Page size: 612 x 792 pts (letter)"),
        "{about}"
    );
    let pages = about.split("Pages: ").nth(1)?.split(' ').next()?;
    pages.parse().ok()
}

#[test]
fn the_same_document_has_the_same_bytes() {
    let bytes = pdf(&fire_watch()).unwrap();
    assert_eq!(bytes, pdf(&fire_watch()).unwrap());
    assert_ne!(bytes, pdf(&ongoing()).unwrap());
    let receipt = receipt();
    let bytes = receipt_pdf(&fire_watch(), &receipt).unwrap();
    assert_eq!(bytes, receipt_pdf(&fire_watch(), &receipt).unwrap());
}

#[test]
fn an_offer_has_few_pages_that_every_program_can_read() {
    // One post, and two posts with a discount, a line by hand and tax.
    for (document, most) in [(fire_watch(), 2), (ongoing(), 3)] {
        let bytes = pdf(&document).unwrap();
        assert!(bytes.len() < 80_000, "{} bytes", bytes.len());
        if let Some(pages) = check(&bytes) {
            assert!(pages <= most, "{pages}");
        }
    }
}

#[test]
fn a_file_names_its_title_and_language() {
    let bytes = pdf(&fire_watch()).unwrap();
    let Some(about) = judged("pdfinfo", &["FILE"], &bytes) else {
        return;
    };
    let about = words(&about);
    let title = "Title: Offer GP-2K7Q-1, version 2, Guardpost Security";
    assert!(about.contains(title), "{about}");
    assert!(
        about.contains("CreationDate: Wed Nov 25 00:00:00 2026"),
        "{about}"
    );
    let data = judged("qpdf", &["--json", "FILE"], &bytes).unwrap();
    assert!(data.contains("\"/Lang\": \"u:en-US\""));
}

#[test]
fn the_text_of_a_file_is_in_the_order_of_reading() {
    let bytes = pdf(&ongoing()).unwrap();
    let parts = [
        "Guardpost Security",
        "License, Texas: B12345601",
        "Offer GP-2K7Q-1",
        "Valid through",
        "December 9, 2026",
        "Maria Lopez",
        "2 posts in Houston, TX",
        "From our office",
        "Thank you for calling",
        "Gate Houston, TX",
        "Unarmed officer",
        "Monday to Friday, 6:00 PM to 6:00 AM",
        "2 × Armed officer",
        "Guard booth with heating $180.00",
        "Discount Two sites under one agreement −$827.32",
        "Texas sales tax 8.25% of $15,718.98 $1,296.82",
        "Total for a week $17,015.80",
        "Conditions",
        "Licenses and insurance",
        "How to answer",
        "I have read this offer",
        "Accepting electronically",
    ];
    reads(&bytes, &parts);
}

#[test]
fn a_receipt_names_who_accepted_what_and_its_fingerprints() {
    let receipt = receipt();
    let bytes = receipt_pdf(&fire_watch(), &receipt).unwrap();
    let Some(pages) = check(&bytes) else { return };
    assert_eq!(pages, 1);
    let text = words(&judged("pdftotext", &["-raw", "FILE", "-"], &bytes).unwrap());
    for part in [
        "Receipt for offer GP-2K7Q-1",
        "GP-2K7Q-1, version 2",
        "Maria Lopez",
        "Property manager",
        "Tuesday, December 1, 2026 at 9:04:05 AM CST (3:04:05 PM UTC)",
        "203.0.113.7",
        &receipt.acceptance.digests.pdf,
        &receipt.digest,
        &receipt.seal,
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
}

/// Names and texts that are hard to set.
fn hard() -> Vec<Document> {
    let with_name = |name: &str| {
        let mut document = fire_watch();
        document.customer.name = name.to_owned();
        document.customer.location = format!("{name}, Houston");
        document.company.name = name.to_owned();
        document.message = Some(name.to_owned());
        document
    };
    let names = [
        "",
        " ",
        "\u{0}\u{7}\u{200b}\u{fffe}\u{feff}\u{10ffff}\u{e000}",
        "Łukasz Żółć, Nguyễn Thị Bích, Владимир, Ærøskøbing",
        "Μαρία Παπαδοπούλου 김철수 王小明 محمد שלום ไทย 🦄👩🏽‍🚒",
        "e\u{301}e\u{301}\u{301}\u{301} \u{301}",
        &"x".repeat(10_000),
        &"word ".repeat(2_000),
        &"Lorem\n\n\n".repeat(500),
        &"🦄".repeat(3_000),
    ];
    let mut all: Vec<Document> = names.into_iter().map(with_name).collect();
    let title = "Warehouse at the end of the long road behind the second gate ".repeat(3);
    let many = (0..40).map(|_| post(&title, "armed", 3, always()));
    all.push(document(terms(many.collect(), None)));
    let mut long = ongoing();
    long.terms.discount.as_mut().unwrap().reason = "Because of everything. ".repeat(200);
    long.conditions = vec![long.conditions[0].clone(); 40];
    for part in &mut long.conditions {
        part.text = part.text.repeat(15);
    }
    all.push(long);
    all
}

#[test]
fn no_name_no_length_and_no_number_of_posts_breaks_a_file() {
    for document in hard() {
        let bytes = pdf(&document).unwrap();
        check(&bytes);
        let mut receipt = receipt();
        receipt.acceptance.name = document.customer.name.clone();
        receipt.acceptance.user_agent = document.customer.location.clone();
        check(&receipt_pdf(&document, &receipt).unwrap());
    }
}

#[test]
fn characters_without_a_glyph_are_replaced_on_the_page_and_kept_in_its_text() {
    let mut document = fire_watch();
    document.customer.name = "Łukasz 王小明 Владимир".to_owned();
    let bytes = pdf(&document).unwrap();
    let Some(text) = judged("pdftotext", &["-raw", "FILE", "-"], &bytes) else {
        return;
    };
    assert!(text.contains("Łukasz 王小明 Владимир"), "{text}");
    assert!(words(&text).contains("A ? in a name stands for"), "{text}");
}
