//! The lines of `guardpost check`, each proved by a planted fault.

mod online;

use std::fs;

use domain::clock::Clock;
use serde_json::Value;
use store::database::schema::VERSION as SCHEMA_VERSION;

use crate::content::Editor;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

/// The lines of `check --json` with these arguments, and whether it succeeded.
fn check(cli: &Cli, arguments: &[&str]) -> (bool, Vec<(String, String)>) {
    let output = cli.run(&[&["check", "--json"], arguments].concat());
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["ok"], output.success, "{report}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let lines = report["lines"].as_array().unwrap().iter();
    (
        output.success,
        lines
            .map(|line| (text(&line["level"]), text(&line["text"])))
            .collect(),
    )
}

fn settings(cli: &Cli, text: &str) {
    fs::write(cli.path("config.toml"), text).unwrap();
}

/// Asserts that there is a line of this level with this text, and that only faults fail the check.
fn expect(cli: &Cli, arguments: &[&str], level: &str, part: &str) {
    let (ok, lines) = check(cli, arguments);
    let found = lines
        .iter()
        .any(|(found, text)| found == level && text.contains(part));
    assert!(found, "{level} {part}: {lines:#?}");
    assert_eq!(
        ok,
        lines.iter().all(|(level, _)| level != "fault"),
        "{lines:#?}"
    );
}

#[test]
fn invalid_settings_are_all_reported_at_once() {
    let cli = Cli::new();
    settings(
        &cli,
        "[company]\nlicenses = { ZZ = \"1\" }\n[server]\nredirects = { \"/a\" = \"/a\" }\n\
         [mail]\nsmtp_host = \"mail.guard.example\"\nsmtp_password_file = \"absent\"\n",
    );
    for fault in ["`ZZ` is no state", "in a circle", "cannot read absent"] {
        expect(&cli, &[], "fault", fault);
    }
    settings(&cli, "[company]\nlicences = 1\n");
    expect(&cli, &[], "fault", "licences");
}

fn certificate(cli: &Cli, from: (i32, u8, u8), until: (i32, u8, u8)) {
    let mut params = rcgen::CertificateParams::new(vec!["guard.test".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(from.0, from.1, from.2);
    params.not_after = rcgen::date_time_ymd(until.0, until.1, until.2);
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    fs::write(cli.path("cert.pem"), certificate.pem()).unwrap();
    fs::write(cli.path("key.pem"), key.serialize_pem()).unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(cli.path("key.pem"), fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn an_expired_or_future_certificate_is_a_fault_and_a_valid_one_is_counted_in_days() {
    let cli = Cli::new();
    settings(
        &cli,
        "[server]\ntls_cert = \"cert.pem\"\ntls_key = \"key.pem\"\n",
    );
    certificate(&cli, (2020, 1, 1), (2021, 1, 1));
    expect(&cli, &[], "fault", "has expired on 2021-01-01");
    certificate(&cli, (2190, 1, 1), (2191, 1, 1));
    expect(&cli, &[], "fault", "is not valid before 2190-01-01");
    certificate(&cli, (2020, 1, 1), (2190, 1, 1));
    expect(&cli, &[], "ok", "is valid for ");
}

#[test]
fn a_certificate_for_another_name_is_named() {
    let cli = Cli::new();
    let tls = "tls_cert = \"cert.pem\"\ntls_key = \"key.pem\"\n";
    let site = |host: &str| format!("[server]\nbase_url = \"https://{host}\"\n{tls}");
    certificate(&cli, (2020, 1, 1), (2190, 1, 1));
    settings(&cli, &site("guard.test"));
    expect(&cli, &[], "ok", "is valid for ");
    settings(&cli, &site("www.guard.test"));
    let other = "cert.pem: it is for guard.test, not for www.guard.test: browsers refuse";
    expect(&cli, &[], "fault", other);
}

#[tokio::test]
async fn missing_failed_and_old_backups_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("all");
    let app = TestApp::with(|config| config.backup.to = to.to_str().unwrap().to_owned()).await;
    let cli = Cli::on_data_of(&app);
    expect(&cli, &[], "warning", "backup.to: not set");
    let config = fs::read_to_string(cli.path("config.toml")).unwrap();
    settings(
        &cli,
        &format!("{config}[backup]\nto = {to:?}\n[retention]\nclosed_days = 30\n"),
    );
    expect(&cli, &[], "warning", "backup: it has never run");
    expect(&cli, &[], "warning", "retention: it has never run");
    let mut jobs = app.maintenance();
    // The command reads the clock of the system.
    jobs.clock = Clock::system();
    jobs.run_due().await;
    expect(&cli, &[], "ok", "backup: 0 hours ago");
    expect(&cli, &[], "ok", "backup proof: 0 hours ago");
    expect(&cli, &[], "ok", "retention: closed requests are kept");
    let schema = |version: u32| {
        move |conn: &rusqlite::Connection| Ok(conn.pragma_update(None, "user_version", version)?)
    };
    app.store.write(schema(SCHEMA_VERSION - 1)).await.unwrap();
    expect(&cli, &[], "warning", "an older program wrote it");
    let (_, lines) = check(&cli, &[]);
    let never = |(_, text): &(_, String)| text.contains("it has never run");
    assert!(!lines.iter().any(never), "{lines:?}");
    app.store.write(schema(SCHEMA_VERSION)).await.unwrap();
    let age = |conn: &rusqlite::Connection| {
        conn.execute(
            "UPDATE backup_places SET made_at = '2020-01-01T00:00:00.000Z',
             proved_at = '2020-01-01T00:00:00.000Z', scheduled_at = '2020-01-01T00:00:00.000Z'",
            [],
        )?;
        let old = "UPDATE maintenance SET ran_at = '2020-01-01T00:00:00.000Z', succeeded_at = \
                   '2020-01-01T00:00:00.000Z'";
        Ok(conn.execute(old, [])?)
    };
    app.store.write(age).await.unwrap();
    expect(&cli, &[], "fault", "backup: the last success is ");
    expect(&cli, &[], "fault", "backup proof: the last success is ");
    expect(&cli, &[], "warning", "retention: it last ran at 2020-01-01");
    fs::remove_dir_all(&to).unwrap();
    fs::write(&to, "a file").unwrap();
    jobs.run_due().await;
    expect(&cli, &[], "fault", "backup: failed at ");
}

#[tokio::test]
async fn emails_that_the_office_does_not_get_are_a_fault_and_one_to_a_customer_is_a_warning() {
    let app = TestApp::start().await;
    app.stored(serde_json::json!({})).await;
    let age = "UPDATE outbox SET created_at = '2020-01-01T00:00:00.000Z'";
    let age = move |conn: &rusqlite::Connection| Ok(conn.execute(age, [])?);
    app.store.write(age).await.unwrap();
    let late = "1 email undelivered for over an hour: `guardpost outbox list`";
    expect(&Cli::on_data_of(&app), &[], "fault", late);
    let fail =
        |conn: &rusqlite::Connection| Ok(conn.execute("UPDATE outbox SET state = 'failed'", [])?);
    app.store.write(fail).await.unwrap();
    let given_up = "1 email to the office given up: `guardpost outbox list`";
    expect(&Cli::on_data_of(&app), &[], "fault", given_up);
    app.sql("UPDATE outbox SET kind = 'reply'").await;
    expect(&Cli::on_data_of(&app), &[], "warning", "1 email given up");
}

#[tokio::test]
async fn a_request_whose_columns_are_not_what_its_history_says_is_a_fault() {
    let app = TestApp::start().await;
    app.stored(serde_json::json!({})).await;
    let cli = Cli::on_data_of(&app);
    let differs = |(_, text): &(String, String)| text.contains("is not what the history says");
    assert!(!check(&cli, &[]).1.iter().any(differs));
    app.sql("UPDATE requests SET unread = 1").await;
    expect(
        &cli,
        &[],
        "fault",
        "what waits is not what the history says of GP-",
    );
}

#[tokio::test]
async fn the_days_until_the_disk_is_full_are_counted() {
    let app = TestApp::start().await;
    let cli = Cli::on_data_of(&app);
    for _ in 0..100 {
        app.clock.advance(2 * 60 * 60 * 1000);
        app.stored(serde_json::json!({})).await;
    }
    expect(&cli, &[], "ok", "days at the 1 MB a day of the last month");
    // As if the last month had brought 1 PB.
    let grant = app.grant().await;
    app.add_file(&grant, "a.pdf", b"%PDF-1.7 a plan").await;
    let grow = "UPDATE objects SET size = 1 << 50";
    let grow = move |conn: &rusqlite::Connection| Ok(conn.execute(grow, [])?);
    assert_eq!(app.store.write(grow).await.unwrap(), 1);
    expect(&cli, &[], "warning", "are free, enough for 0 days at the ");
}

#[tokio::test]
async fn claims_of_the_texts_are_named_until_the_office_has_confirmed_them() {
    let app = TestApp::start().await;
    let cli = Cli::on_data_of(&app);
    let broker = "A broker sends certificates and endorsements";
    expect(
        &cli,
        &[],
        "warning",
        "claims of the texts that are not confirmed: ",
    );
    expect(&cli, &[], "warning", broker);
    let editor = Editor::of(&app).await;
    let mut claims = editor.section("claims").await;
    for claim in claims.as_array_mut().unwrap() {
        claim["confirmed"] = claim["claim"].as_str().unwrap().starts_with(broker).into();
    }
    editor.show(0, "claims", &claims).await;
    let (_, lines) = check(&cli, &[]);
    let named = |part: &str| lines.iter().any(|(_, text)| text.contains(part));
    assert!(named("Surety bonds") && !named(broker), "{lines:#?}");
}

#[test]
fn an_inbox_whose_senders_are_not_verified_is_a_warning() {
    let cli = Cli::new();
    settings(&cli, "[mail.inbound]\naddress = \"office@guard.example\"\n");
    expect(&cli, &[], "warning", "`mail.inbound.authserv_id` is empty");
    settings(
        &cli,
        "[mail.inbound]\naddress = \"office@guard.example\"\nauthserv_id = \"mx.guard.example\"\n",
    );
    let (_, lines) = check(&cli, &[]);
    assert!(!lines.iter().any(|(_, text)| text.contains("authserv_id")));
}

/// A mailbox that a server on this data folder has failed to read for an hour.
#[tokio::test]
async fn a_mailbox_that_does_not_advance_is_a_warning() {
    use config::Inbound;
    use domain::clock::HOUR_MS;
    use inbound_mail::imap::mailbox_name;
    use store::Store;

    let cli = Cli::new();
    settings(
        &cli,
        "[mail.inbound]\nhost = \"imap.guard.example\"\nuser = \"office\"\npassword_file = \"p\"\n",
    );
    let name = mailbox_name(&Inbound {
        host: "imap.guard.example".to_owned(),
        user: "office".to_owned(),
        ..Inbound::default()
    });
    std::fs::create_dir_all(cli.path("data")).unwrap();
    let store = Store::open(&cli.path("data").join("guardpost.db")).unwrap();
    let since = Clock::system().now().plus_millis(-2 * HOUR_MS);
    let failed = store.mailbox_failed(name, "the folder is gone".to_owned(), since);
    failed.await.unwrap();
    drop(store);
    let (_, lines) = check(&cli, &[]);
    let part = "has not advanced for 2 hours: the folder is gone";
    let found = lines
        .iter()
        .any(|(level, text)| level == "warning" && text.contains(part));
    assert!(found, "{lines:#?}");
}
