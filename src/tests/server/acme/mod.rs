//! `server.tls_acme`: certificates from an authority, with the real one that Let's Encrypt tests
//! its clients with.

mod hints;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use reqwest::tls::TlsInfo;
use store::database::maintenance::{Job, LastRun};
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;

use crate::server::tls::free_address;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::pebble::Authority;

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * 60 * MINUTE;
/// Where nothing listens.
const CLOSED: u16 = 1;

/// A site `guard.test` that orders its certificates from `directory`.
async fn site(authority: &Authority, directory: String) -> TestApp {
    // Another test may have chosen it already.
    let _ = default_provider().install_default();
    TestApp::with(|config| {
        let server = &mut config.server;
        server.base_url = "https://guard.test".into();
        server.tls_acme = true;
        server.acme_domains = vec!["www.guard.test".into()];
        server.acme_directory = directory;
        server.acme_ca_file = authority.ca_file().to_str().unwrap().into();
        server.redirect_listen = free_address();
    })
    .await
}

/// Restarts the site with another port for plain HTTP: the old one may still be open.
async fn restart(app: &mut TestApp) {
    app.config.server.redirect_listen = free_address();
    app.restart().await;
}

/// The port where plain HTTP is redirected.
fn plain_port(app: &TestApp) -> u16 {
    let address = &app.config.server.redirect_listen;
    address.rsplit(':').next().unwrap().parse().unwrap()
}

/// Runs what is due; returns the last order of a certificate.
async fn order(app: &TestApp) -> LastRun {
    app.maintenance().run_due().await;
    let run = app.store.last_run(Job::Certificate).await.unwrap();
    run.unwrap()
}

/// The same, where it has to succeed.
async fn ordered(app: &TestApp) -> LastRun {
    let ordered = order(app).await;
    assert!(ordered.ok, "{}", ordered.detail);
    ordered
}

/// The certificate with which the site answers at `name`, if `root` vouches for it; without a root,
/// any certificate.
async fn certificate(
    app: &TestApp,
    name: &str,
    root: Option<&reqwest::Certificate>,
) -> Option<Vec<u8>> {
    let client = reqwest::Client::builder()
        .resolve(name, app.address)
        .tls_info(true);
    let client = match root {
        Some(root) => client.tls_certs_only([root.clone()]),
        None => client.tls_danger_accept_invalid_certs(true),
    };
    let url = format!("https://{name}:{}/healthz", app.address.port());
    let answer = client.build().unwrap().get(url).send().await.ok()?;
    assert_eq!(answer.status(), 200);
    let info = answer.extensions().get::<TlsInfo>().unwrap();
    Some(info.peer_certificate().unwrap().to_owned())
}

#[tokio::test]
async fn the_site_starts_without_the_authority_and_orders_its_certificate_when_it_answers() {
    let mut authority = Authority::new();
    let mut app = site(&authority, authority.directory()).await;
    let own = certificate(&app, "guard.test", None).await;
    assert!(
        own.is_some(),
        "the site answers with a certificate of its own"
    );

    let failed = order(&app).await;
    assert!(!failed.ok && failed.detail.contains(&authority.directory()));
    app.run_outbox().await;
    let mail = app.mailbox();
    assert!(
        mail.len() == 1 && mail[0].text.contains("certificate"),
        "{mail:?}"
    );
    assert!(!order(&app).await.ok, "it is not tried again at once");
    assert_eq!(certificate(&app, "guard.test", None).await, own);

    authority.start(CLOSED, app.address.port());
    let root = authority.root().await;
    app.clock.advance(30 * MINUTE);
    let ordered = ordered(&app).await;
    let issued = certificate(&app, "guard.test", Some(&root)).await;
    assert!(issued.is_some() && issued != own);
    assert_eq!(
        certificate(&app, "www.guard.test", Some(&root)).await,
        issued
    );
    for file in ["acme/account.json", "acme/certificate.pem"] {
        let found = fs::metadata(app.folder.path().join(file)).unwrap();
        assert_eq!(found.permissions().mode() & 0o777, 0o600, "{file}");
    }

    authority.stop();
    restart(&mut app).await;
    assert_eq!(certificate(&app, "guard.test", Some(&root)).await, issued);
    app.clock.advance(DAY);
    assert_eq!(order(&app).await, ordered, "nothing is due");
}

#[tokio::test]
async fn after_a_mended_fault_a_restart_orders_at_once() {
    let mut authority = Authority::new();
    let mut app = site(&authority, authority.directory()).await;
    assert!(!order(&app).await.ok);
    restart(&mut app).await;
    authority.start(plain_port(&app), app.address.port());
    ordered(&app).await;
}

#[tokio::test]
async fn control_over_the_name_is_proved_on_port_80_where_the_authority_cannot_reach_tls() {
    let mut authority = Authority::new();
    let app = site(&authority, authority.directory()).await;
    authority.start(plain_port(&app), CLOSED);
    ordered(&app).await;
    let root = authority.root().await;
    assert!(certificate(&app, "guard.test", Some(&root)).await.is_some());
    let path = "/.well-known/acme-challenge/unknown";
    let plain = format!("http://127.0.0.1:{}{path}", plain_port(&app));
    let unknown = app.http.get(plain).send().await.unwrap();
    assert_eq!(
        unknown.status(),
        308,
        "only proofs are answered in the clear"
    );
}

#[tokio::test]
async fn an_order_that_nobody_can_prove_names_both_reasons() {
    let mut authority = Authority::new();
    let app = site(&authority, authority.directory()).await;
    authority.start(CLOSED, CLOSED);
    let failed = order(&app).await;
    for reason in ["TlsAlpn01: ", "Http01: "] {
        assert!(failed.detail.contains(reason), "{}", failed.detail);
    }
    assert!(certificate(&app, "guard.test", None).await.is_some());
}

#[tokio::test]
async fn a_certificate_is_renewed_at_two_thirds_of_its_life_with_the_same_account() {
    let mut authority = Authority::new();
    let app = site(&authority, authority.directory()).await;
    authority.start(CLOSED, app.address.port());
    ordered(&app).await;
    let first = certificate(&app, "guard.test", None).await.unwrap();
    let account = || fs::read(app.folder.path().join("acme/account.json")).unwrap();
    let saved = account();
    let (from, until) = certificates::x509::validity(&first).unwrap();
    let third = (until.millis() - from.millis()) / 3;

    let just_before = from.plus_millis(2 * third - DAY);
    app.clock
        .advance(just_before.millis() - app.clock.now().millis());
    let ran_at = order(&app).await.ran_at;
    assert!(ran_at < just_before, "it is not due yet");

    app.clock.advance(2 * DAY);
    ordered(&app).await;
    let second = certificate(&app, "guard.test", None).await.unwrap();
    assert_ne!(second, first);
    assert_eq!(account(), saved);
}

#[tokio::test]
async fn a_restored_backup_has_the_account_and_the_certificate_of_the_site() {
    let mut authority = Authority::new();
    let mut app = site(&authority, authority.directory()).await;
    authority.start(plain_port(&app), app.address.port());
    ordered(&app).await;
    let issued = certificate(&app, "guard.test", None).await;
    let account = fs::read(app.folder.path().join("acme/account.json")).unwrap();

    let (cli, folder) = (Cli::on_data_of(&app), tempfile::tempdir().unwrap());
    cli.run_ok(&["backup", "--to", "all"]);
    let to = folder.path().to_str().unwrap();
    cli.run_ok(&["restore", "all", "--to", to]);
    // A new machine, while the authority is down.
    authority.stop();
    app.stop();
    app.config.server.redirect_listen = free_address();
    let again = app.on(folder.into()).await;
    assert_eq!(certificate(&again, "guard.test", None).await, issued);
    let file = again.folder.path().join("acme/account.json");
    assert_eq!(fs::read(&file).unwrap(), account);
    assert_eq!(
        fs::metadata(file).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[tokio::test]
async fn a_damaged_certificate_or_one_for_other_names_is_replaced_without_stopping_the_site() {
    let mut authority = Authority::new();
    let mut app = site(&authority, authority.directory()).await;
    let file = app.folder.path().join("acme/certificate.pem");
    fs::create_dir(file.parent().unwrap()).unwrap();
    fs::write(&file, "half a file").unwrap();
    restart(&mut app).await;
    assert!(certificate(&app, "guard.test", None).await.is_some());
    authority.start(plain_port(&app), app.address.port());
    ordered(&app).await;
    let first = fs::read(&file).unwrap();

    app.config.server.acme_domains = vec!["shop.guard.test".into()];
    restart(&mut app).await;
    let root = authority.root().await;
    assert!(certificate(&app, "guard.test", Some(&root)).await.is_some());
    assert!(
        certificate(&app, "shop.guard.test", Some(&root))
            .await
            .is_none()
    );
    app.clock.advance(30 * MINUTE);
    authority.stop();
    authority.start(plain_port(&app), app.address.port());
    ordered(&app).await;
    let root = authority.root().await;
    assert_ne!(fs::read(&file).unwrap(), first);
    assert!(
        certificate(&app, "shop.guard.test", Some(&root))
            .await
            .is_some()
    );
}

#[test]
fn check_says_that_no_certificate_was_ordered_and_settings_without_a_name_stop_the_start() {
    let cli = Cli::new();
    let acme = "[server]\ntls_acme = true\n";
    let settings = |more: &str| fs::write(cli.path("config.toml"), format!("{acme}{more}\n"));
    settings("base_url = \"https://guard.test\"").unwrap();
    let checked = cli.run(&["check"]);
    assert!(
        checked.stdout.contains("server.tls_acme: no certificate"),
        "{}",
        checked.stdout
    );
    for (more, named) in [
        ("", "tls_acme"),
        ("base_url = \"https://127.0.0.1\"", "tls_acme"),
        ("base_url = \"https://localhost\"", "tls_acme"),
        (
            "base_url = \"https://guard.test\"\nacme_domains = [\"*.guard.test\"]",
            "tls_acme",
        ),
        (
            "base_url = \"https://guard.test\"\ntls_cert = \"a\"\ntls_key = \"b\"",
            "tls_acme",
        ),
        (
            "base_url = \"https://guard.test\"\nacme_directory = \"http://ca.test/dir\"",
            "acme_directory",
        ),
    ] {
        settings(more).unwrap();
        let error = cli.run_err(&["serve"]);
        assert!(
            error.contains(&format!("server.{named}")),
            "{more}: {error}"
        );
    }
}
