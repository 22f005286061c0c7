//! Offers move with everything else.

use std::sync::Arc;

use super::{Desk, acceptance, link};
use crate::backup::{back_up, put_back};
use crate::support::cli_process::Cli;

#[tokio::test]
async fn offers_and_their_proofs_move_with_everything_else() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    desk.post_form(&link(&offer), "10.1.1.1", &acceptance(&[]))
        .await;
    let cli = Cli::on_data_of(&desk.app);
    cli.run_ok(&["export", "--all", "--out", "one.jsonl"]);
    cli.run_ok(&["import", "one.jsonl", "--data", "new"]);
    for name in ["auth-keys.json", "address.key"] {
        let from = desk.app.folder.path().join(name);
        std::fs::copy(from, cli.path("new").join(name)).unwrap();
    }
    let said = cli.run_ok(&["offer", "verify", "--data", "new"]);
    assert_eq!(said, "Checked 1 version, 1 accepted.\n");
}

#[tokio::test]
async fn a_restored_server_shows_an_accepted_offer_and_proves_it() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    desk.post_form(&link(&offer), "10.1.1.1", &acceptance(&[]))
        .await;
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&desk.app, backups.path(), None).unwrap();
    let folder = Arc::new(tempfile::tempdir().unwrap());
    put_back(&desk.app, &backup, folder.path(), None).unwrap();
    let again = desk.app.on(folder).await;
    for file in ["", "/offer.pdf", "/receipt.pdf"] {
        let path = format!("{}{file}", link(&offer));
        let [before, after] = [&desk.app, &again].map(|app| app.http.get(app.url(&path)).send());
        let (before, after) = (before.await.unwrap(), after.await.unwrap());
        assert_eq!(after.status(), 200, "{path}");
        let (before, after) = (before.bytes().await.unwrap(), after.bytes().await.unwrap());
        assert_eq!(before, after, "{path}");
    }
    let said = Cli::on_data_of(&again).run_ok(&["offer", "verify"]);
    assert_eq!(said, "Checked 1 version, 1 accepted.\n");
}
