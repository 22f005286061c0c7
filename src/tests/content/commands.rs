//! Content by command: what `check` says is to be filled in, and its export and import as files.

use std::fs;

use serde_json::{Value, json};

use super::{Editor, body, client};
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

#[tokio::test]
async fn check_warns_of_an_expired_license_and_says_where_it_is_entered() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let expired = json!([{
        "state": "TX", "number": "B-7", "holder": "", "expires": "2020-10-31",
    }]);
    editor.show(0, "licenses", &expired).await;
    let check = Cli::on_data_of(&app).run(&["check", "--all"]).stdout;
    let line = "Licenses, in the dashboard under Site: TX B-7 has expired;";
    assert!(check.contains(line), "{check}");
}

#[tokio::test]
async fn the_editor_and_check_say_what_is_to_be_filled_until_it_is_published() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let cli = Cli::on_data_of(&app);
    let to_fill = async || {
        let content = editor.content().await;
        let lines = content["to_fill"].as_array().unwrap().iter();
        let lines = lines.map(|line| line["text"].as_str().unwrap().to_owned());
        let figures =
            |line: &String| line.contains("the figures of") || line.contains("not confirmed");
        let lines: Vec<String> = lines.filter(|line| !figures(line)).collect();
        lines.join("\n")
    };
    assert_eq!(
        to_fill().await,
        "Company facts: still those of the sample company: phone, email, media email, name, legal \
         name, street.\n\
         Licenses: none is entered for 41 states that license guard companies.\n\
         Facts to check: 7 samples are left. A public site does not show them.\n\
         Clients: 16 samples are left. A public site does not show them.\n\
         Testimonials: 6 samples are left. A public site does not show them.\n\
         Press releases: 4 samples are left. A public site does not show them."
    );
    let check = cli.run(&["check", "--all"]).stdout;
    assert!(
        check.contains("company.phone: (713) 555-0142 is a fictitious number"),
        "{check}"
    );

    let facts = json!({
        "name": "Tulsa Guards", "legal_name": "Tulsa Guards LLC", "phone": "(918) 200-0100",
        "email": "office@tulsaguards.com", "media_email": "", "street": "1 Main Street",
        "city": "Tulsa", "region": "OK", "postal_code": "74103", "hours": "Day and night",
    });
    editor.show(0, "facts", &facts).await;
    editor
        .show(1, "clients", &json!([client("Tulsa Rail")]))
        .await;
    let left = to_fill().await;
    assert!(
        !left.contains("Company facts") && !left.contains("Clients"),
        "{left}"
    );
    let check = cli.run(&["check", "--all"]).stdout;
    assert!(
        !check.contains("company.phone") && !check.contains("company.name"),
        "{check}"
    );
}

#[tokio::test]
async fn files_are_exported_and_imported() {
    let app = TestApp::start().await;
    let cli = Cli::on_data_of(&app);
    cli.run_ok(&["content", "export", "content"]);
    let file = cli.path("content/faqs.json");
    let mut faqs: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert!(
        cli.run_ok(&["content", "import", "content"])
            .contains("Nothing has changed")
    );
    faqs[3]["question"] = "".into();
    fs::write(&file, faqs.to_string()).unwrap();
    let refused = cli.run(&["content", "import", "content/faqs.json"]);
    assert!(!refused.success);
    assert!(
        refused.stderr.contains("faqs.json: /3/question: is empty"),
        "{}",
        refused.stderr
    );
    faqs[3]["question"] = "How soon can a guard be here?".into();
    fs::write(&file, faqs.to_string()).unwrap();
    let imported = cli.run_ok(&["content", "import", "content"]);
    assert_eq!(imported, "Version 1 is published.\n");
    assert!(app.renew_pages().await);
    assert!(
        body(&app, "/")
            .await
            .contains("How soon can a guard be here?")
    );
    fs::write(cli.path("content/other.json"), "{}").unwrap();
    assert!(
        cli.run(&["content", "import", "content"])
            .stderr
            .contains("no section")
    );
}
