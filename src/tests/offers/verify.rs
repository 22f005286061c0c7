//! Whether a file is what was sent or accepted: by command, and on the public page.

use std::fs;

use serde_json::Value;

use super::{Desk, MARIA, link};
use crate::support::cli_process::Cli;

async fn bytes(desk: &Desk, path: &str) -> Vec<u8> {
    let response = desk.app.http.get(desk.app.url(path)).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    response.bytes().await.unwrap().to_vec()
}

async fn accepted(desk: &Desk) -> Value {
    let offer = desk.delivered().await;
    desk.accept(&offer).await;
    offer
}

/// Changes rows that the program never changes.
async fn tampered(desk: &Desk, sql: &'static str) {
    desk.app
        .store
        .write(move |conn| {
            let triggers = "DROP TRIGGER IF EXISTS offer_versions_never_change;
                DROP TRIGGER IF EXISTS offer_acceptances_never_change;";
            Ok(conn.execute_batch(&format!("{triggers}{sql}"))?)
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn the_command_says_whether_a_file_is_what_was_sent_or_accepted_or_neither() {
    let desk = Desk::open().await;
    let offer = accepted(&desk).await;
    let open = desk.delivered().await;
    let cli = Cli::on_data_of(&desk.app);
    let number = offer["number"].as_str().unwrap();
    for (name, path) in [
        ("sent.pdf", format!("{}/offer.pdf", link(&offer))),
        ("receipt.pdf", format!("{}/receipt.pdf", link(&offer))),
        ("open.pdf", format!("{}/offer.pdf", link(&open))),
    ] {
        fs::write(cli.path(name), bytes(&desk, &path).await).unwrap();
    }
    let said = cli.run_ok(&["offer", "verify", "sent.pdf"]);
    assert!(
        said.contains(&format!("the PDF of offer {number}, version 1")),
        "{said}"
    );
    assert!(
        said.contains("Accepted by María O’Brien on 2026-11-21"),
        "{said}"
    );
    let said = cli.run_ok(&["offer", "verify", "receipt.pdf"]);
    assert!(
        said.contains(&format!("the receipt of offer {number}")),
        "{said}"
    );
    let said = cli.run_ok(&["offer", "verify", "open.pdf"]);
    assert!(said.contains("This version was not accepted"), "{said}");
    let mut changed = bytes(&desk, &format!("{}/offer.pdf", link(&offer))).await;
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(cli.path("changed.pdf"), changed).unwrap();
    let said = cli.run_err(&["offer", "verify", "changed.pdf"]);
    assert!(
        said.contains("neither an offer that was sent nor one that was accepted"),
        "{said}"
    );
    let said = cli.run_ok(&["offer", "verify"]);
    assert_eq!(said, "Checked 2 versions, 1 accepted.\n");
    let lines = cli.run_ok(&["export-offers"]);
    assert_eq!(lines.lines().count(), 2);
    let states = lines.lines().map(|line| {
        let offer: Value = serde_json::from_str(line).unwrap();
        (
            offer["state"].clone(),
            offer["versions"][0]["recipient"].clone(),
        )
    });
    let states: Vec<_> = states.collect();
    assert!(
        states.contains(&("accepted".into(), MARIA.into())),
        "{states:?}"
    );
    // The command reads the clock of the system, by which the open one may have expired.
    let is_open = |state: &Value| state == "sent" || state == "expired";
    assert!(
        states
            .iter()
            .any(|(state, to)| is_open(state) && to == MARIA),
        "{states:?}"
    );
}

#[tokio::test]
async fn each_change_of_what_is_stored_is_named() {
    for (sql, part) in [
        (
            "UPDATE offer_versions SET pdf = CAST(pdf || x'00' AS BLOB)",
            "The PDF was changed",
        ),
        (
            "UPDATE offer_versions SET text = CAST(replace(CAST(text AS TEXT), '$', '€') AS BLOB)",
            "The text was changed",
        ),
        (
            "UPDATE offer_versions SET json_digest = 'x'",
            "The data was changed",
        ),
        (
            "UPDATE offer_acceptances SET record =
               CAST(replace(CAST(record AS TEXT), 'María', 'Maria') AS BLOB)",
            "The acceptance was changed",
        ),
        ("UPDATE offer_acceptances SET seal = digest", "seal"),
        (
            "UPDATE offer_acceptances SET receipt = x'00'",
            "The receipt was changed",
        ),
        (
            "DELETE FROM offer_acceptances WHERE id = (SELECT min(id) FROM offer_acceptances)",
            "The acceptance before this one is missing",
        ),
    ] {
        let desk = Desk::open().await;
        accepted(&desk).await;
        accepted(&desk).await;
        tampered(&desk, sql).await;
        let said = Cli::on_data_of(&desk.app).run_err(&["offer", "verify"]);
        assert!(said.contains(part), "{sql}: {said}");
    }
}

#[tokio::test]
async fn the_public_page_compares_a_file_and_names_nobody() {
    let desk = Desk::open().await;
    let offer = accepted(&desk).await;
    let pdf = bytes(&desk, &format!("{}/offer.pdf", link(&offer))).await;
    let check = async |file: Vec<u8>, address: &str| {
        let mut body = b"--b\r\nContent-Disposition: form-data; name=\"file\"; \
            filename=\"offer.pdf\"\r\nContent-Type: application/pdf\r\n\r\n"
            .to_vec();
        body.extend(file);
        body.extend(b"\r\n--b--\r\n");
        let request = desk.app.http.post(desk.app.url("/offer/verify"));
        let request = request
            .header("x-forwarded-for", address.to_owned())
            .header("content-type", "multipart/form-data; boundary=b");
        let response = request.body(body).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let (status, page) = desk.page("/offer/verify").await;
    assert!(status == 200 && page.contains("type=\"file\""), "{page}");
    let (status, page) = check(pdf.clone(), "10.1.1.1").await;
    assert_eq!(status, 200);
    assert!(page.contains("exactly as we sent it"), "{page}");
    assert!(page.contains("This version was accepted on"), "{page}");
    assert!(!page.contains("María"), "{page}");
    let mut changed = pdf.clone();
    changed[100] ^= 1;
    let (_, page) = check(changed, "10.1.1.2").await;
    assert!(page.contains("neither an offer that we sent"), "{page}");
    assert_eq!(check(vec![0; 1024 * 1024 + 1], "10.1.1.3").await.0, 413);
    assert_eq!(check(Vec::new(), "10.1.1.4").await.0, 400);
    tampered(
        &desk,
        "UPDATE offer_versions SET pdf = x'00', pdf_digest = 'x'",
    )
    .await;
    let (_, page) = check(pdf, "10.1.1.5").await;
    assert!(page.contains("Our own copy is not as it was"), "{page}");
}
