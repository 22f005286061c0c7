//! Offers move with everything else.

use super::{Desk, acceptance, link};
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
