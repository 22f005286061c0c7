//! TLS, HTTP/2 and the metrics.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU16, Ordering};

use config::Config;
use rcgen::CertifiedKey;
use reqwest::Version;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;

use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

/// Writes a certificate for `guard.test` and its key; returns the certificate.
fn issue(folder: &Path) -> reqwest::Certificate {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(vec!["guard.test".to_owned()]).unwrap();
    let key = folder.join("key.pem");
    std::fs::write(&key, signing_key.serialize_pem()).unwrap();
    std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    std::fs::write(folder.join("cert.pem"), cert.pem()).unwrap();
    reqwest::Certificate::from_pem(cert.pem().as_bytes()).unwrap()
}

/// An address on which nothing listens. No other test gets it, and no connection either: the port
/// is below those that the system hands out.
pub fn free_address() -> String {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = std::process::id() as u16;
    loop {
        let port = 20_000 + first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % 10_000;
        if let Ok(free) = std::net::TcpListener::bind(("127.0.0.1", port)) {
            return free.local_addr().unwrap().to_string();
        }
    }
}

/// The application with TLS with the files in `folder`.
async fn behind_tls(folder: &Path) -> TestApp {
    behind_tls_with(folder, |_| {}).await
}

async fn behind_tls_with(folder: &Path, adjust: impl FnOnce(&mut Config)) -> TestApp {
    // Another test may have chosen it already.
    let _ = default_provider().install_default();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    TestApp::with(|config| {
        config.server.tls_cert = file("cert.pem");
        config.server.tls_key = file("key.pem");
        adjust(config);
    })
    .await
}

/// A browser that trusts `root` alone and resolves `guard.test` to the server.
fn browser(app: &TestApp, root: &reqwest::Certificate) -> reqwest::Client {
    reqwest::Client::builder()
        .resolve("guard.test", app.address)
        .tls_certs_only([root.clone()])
        .build()
        .unwrap()
}

fn url(app: &TestApp, path: &str) -> String {
    format!("https://guard.test:{}{path}", app.address.port())
}

#[tokio::test]
async fn with_a_certificate_the_site_speaks_tls_and_http_2() {
    let folder = tempfile::tempdir().unwrap();
    let root = issue(folder.path());
    let app = behind_tls(folder.path()).await;
    let browser = browser(&app, &root);
    for path in ["/", "/healthz"] {
        let answer = browser.get(url(&app, path)).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.version(), Version::HTTP_2);
        assert_eq!(
            answer.headers()["strict-transport-security"],
            "max-age=31536000"
        );
    }
    let head = browser.head(url(&app, "/")).send().await.unwrap();
    assert_eq!(head.status(), 200);
    assert!(head.bytes().await.unwrap().is_empty());
    let plain = app.http.get(app.url("/")).send().await;
    assert!(plain.is_err(), "nothing is answered in the clear");
}

#[tokio::test]
async fn with_a_certificate_plain_http_is_redirected_to_the_site_and_gets_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let root = issue(folder.path());
    let plain = free_address();
    let app = behind_tls_with(folder.path(), |config| {
        config.server.base_url = "https://guard.test".into();
        config.server.redirect_listen = plain.clone();
    })
    .await;
    for (path, host) in [("/quote?sent=1", "guard.test"), ("/healthz", "evil.test")] {
        for method in [reqwest::Method::GET, reqwest::Method::POST] {
            let request = app
                .http
                .request(method.clone(), format!("http://{plain}{path}"));
            let answer = request.header("host", host).send().await.unwrap();
            assert_eq!(answer.status(), 308, "{method} {path}");
            let location = format!("https://guard.test{path}");
            assert_eq!(answer.headers()["location"], *location);
            assert!(!answer.headers().contains_key("strict-transport-security"));
            assert!(answer.bytes().await.unwrap().is_empty());
        }
    }
    let secure = browser(&app, &root).get(url(&app, "/")).send().await;
    assert_eq!(secure.unwrap().status(), 200);
}

#[test]
fn settings_of_tls_that_contradict_each_other_stop_the_start() {
    let cli = Cli::new();
    for (settings, named) in [
        ("redirect_listen = \"0.0.0.0:80\"", "redirect_listen"),
        ("redirect_listen = \"80\"", "redirect_listen"),
        (
            "tls_cert = \"a\"\ntls_key = \"b\"\nbase_url = \"http://guard.test\"",
            "base_url",
        ),
    ] {
        std::fs::write(cli.path("config.toml"), format!("[server]\n{settings}\n")).unwrap();
        let error = cli.run_err(&["serve"]);
        assert!(error.contains(&format!("server.{named}")), "{error}");
    }
}

#[tokio::test]
async fn a_renewed_certificate_is_loaded_unless_it_is_broken_expired_or_for_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let old = issue(folder.path());
    let site = |config: &mut Config| config.server.base_url = "https://guard.test".into();
    let app = behind_tls_with(folder.path(), site).await;
    let renew = |name: &str, until: i32| {
        let mut params = rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(until, 1, 1);
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        std::fs::write(folder.path().join("key.pem"), key.serialize_pem()).unwrap();
        std::fs::write(folder.path().join("cert.pem"), certificate.pem()).unwrap();
        app.clock.advance(60_000);
        reqwest::Certificate::from_pem(certificate.pem().as_bytes()).unwrap()
    };
    let reaches = async |root: &reqwest::Certificate| {
        let asked = browser(&app, root).get(url(&app, "/healthz")).send();
        asked.await.is_ok()
    };
    std::fs::write(folder.path().join("key.pem"), "half a file").unwrap();
    app.clock.advance(60_000);
    assert!(reaches(&old).await, "while the new one is not whole");
    for (name, until) in [("guard.test", 2021), ("other.test", 2190)] {
        renew(name, until);
        assert!(reaches(&old).await, "{name} until {until} is not used");
    }
    let new = renew("guard.test", 2190);
    assert!(reaches(&new).await && !reaches(&old).await);
}

#[tokio::test]
async fn every_metric_of_the_alert_rules_exists_and_every_rule_says_how_bad_it_is_and_what_to_do() {
    let address = free_address();
    let backups = tempfile::tempdir().unwrap();
    let app = TestApp::with(|config| {
        config.server.metrics_listen = address.clone();
        config.backup.to = backups.path().to_str().unwrap().into();
    })
    .await;
    app.maintenance().run_due().await;
    let asked = app.http.get(format!("http://{address}/metrics")).send();
    let metrics = asked.await.unwrap().text().await.unwrap();
    let rules = include_str!("../../../docs/alerts.yml");
    let name = regex::Regex::new("guardpost_[a-z_]+").unwrap();
    let mut count = 0;
    for rule in rules.split("- alert: ").skip(1) {
        let expression = rule.split("expr:").nth(1).unwrap();
        let expression = expression.split("labels:").next().unwrap();
        let code = expression
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        for metric in name.find_iter(&code.collect::<String>()) {
            // A self-signed site has this certificate.
            let known = metrics.contains(metric.as_str())
                || metric.as_str() == "guardpost_certificate_days";
            assert!(known, "{}: {metrics}", metric.as_str());
            count += 1;
        }
        let is_rated = rule.contains("severity: critical") || rule.contains("severity: warning");
        assert!(is_rated, "{rule}");
        for annotation in ["summary: ", "action: "] {
            assert_eq!(rule.matches(annotation).count(), 1, "{annotation}: {rule}");
        }
    }
    assert!(count >= 10);
}

#[tokio::test]
async fn the_metrics_count_requests_and_connections() {
    let address = free_address();
    let app = TestApp::with(|config| config.server.metrics_listen = address.clone()).await;
    for path in ["/", "/nowhere", "/healthz"] {
        app.http.get(app.url(path)).send().await.unwrap();
    }
    let text = app
        .http
        .get(format!("http://{address}/metrics"))
        .send()
        .await
        .unwrap();
    let text = text.text().await.unwrap();
    for line in [
        r#"guardpost_requests_total{route_group="page",status="2xx"} 1"#,
        r#"guardpost_requests_total{route_group="page",status="4xx"} 1"#,
        r#"guardpost_requests_total{route_group="api",status="2xx"} 1"#,
        "guardpost_outbox_due 0",
        "guardpost_writes_waiting 0",
    ] {
        assert!(
            text.lines().any(|has| has == line),
            "{line} is not in\n{text}"
        );
    }
    assert!(text.contains("\nguardpost_connections "), "{text}");
    let public = app.http.get(app.url("/metrics")).send().await.unwrap();
    assert_eq!(public.status(), 404, "not on the public address");
}
