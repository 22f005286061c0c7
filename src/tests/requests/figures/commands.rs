//! `guardpost figures`.

use serde_json::{Value, json};

use super::{Owner, total};
use crate::support::cli_process::Cli;

#[tokio::test]
async fn the_command_prints_the_figures_of_a_month() {
    let owner = Owner::open().await;
    owner.app.stored(json!({})).await;
    let cli = Cli::on_data_of(&owner.app);
    let printed = cli.run_ok(&["figures", "--month", "2026-11", "--json"]);
    let figures: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(
        (&figures["to"], total(&figures, "asked")),
        (&json!("2026-11-30"), 1)
    );
    let text = cli.run_ok(&["figures", "--from", "2026-11-21", "--to", "2026-11-21"]);
    assert!(
        text.starts_with("2026-11-21 to 2026-11-21\n\ntotals "),
        "{text}"
    );
    assert!(text.contains("\nfire-watch "), "{text}");
    let refused = cli.run(&["figures", "--month", "November"]);
    assert!(
        refused.stderr.contains("a month is written as 2026-11"),
        "{}",
        refused.stderr
    );
}
