//! A mail server whose certificate is issued by a private certificate authority.

use std::path::Path;

use config::{Config, SmtpSecurity};
use outbox::mailer::Smtp;
use serde_json::json;

use crate::mail::delivery::deliver_all;
use crate::support::app::TestApp;
use crate::support::smtp::{Protection, SmtpServer};
use crate::support::tls::issued_by_authority;

async fn app_with(server: &SmtpServer, security: SmtpSecurity, ca_file: String) -> TestApp {
    TestApp::with(|config| {
        config.mail.smtp_host = server.address.ip().to_string();
        config.mail.smtp_port = server.address.port();
        config.mail.smtp_security = security;
        config.mail.smtp_ca_file = ca_file;
    })
    .await
}

#[tokio::test]
async fn a_mail_server_with_a_private_certificate_authority_is_trusted_if_it_is_configured() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    let acceptor = issued_by_authority(&file);
    let other = folder.path().join("other.pem");
    issued_by_authority(&other);
    let name = |path: &Path| path.to_str().unwrap().to_owned();
    for (security, protection) in [
        (SmtpSecurity::Tls, Protection::Tls(acceptor.clone())),
        (SmtpSecurity::Starttls, Protection::Starttls(acceptor)),
    ] {
        let server = SmtpServer::protected(protection, &[]).await;
        for untrusting in [String::new(), name(&other)] {
            let app = app_with(&server, security, untrusting).await;
            app.stored(json!({})).await;
            deliver_all(&app.smtp_worker()).await;
            assert_eq!(server.attempts(), 0, "{security:?}");
            assert_eq!(app.outbox_column("state").await, "due", "{security:?}");
        }
        let app = app_with(&server, security, name(&file)).await;
        app.stored(json!({})).await;
        deliver_all(&app.smtp_worker()).await;
        assert_eq!(server.emails().len(), 1, "{security:?}");
    }
}

#[test]
fn an_unreadable_authority_file_is_reported_with_its_setting() {
    let folder = tempfile::tempdir().unwrap();
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (text, reason) in [
        (None, "cannot read"),
        (Some(""), "no certificates"),
        (Some("not a certificate"), "no certificates"),
        (Some(broken), "smtp_ca_file"),
    ] {
        let file = folder.path().join("authority.pem");
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let mut config = Config::default();
        config.mail.smtp_host = "mail.guardpost.example".to_owned();
        config.mail.smtp_ca_file = file.to_str().unwrap().to_owned();
        let error = Smtp::new(&config.mail).err().unwrap();
        let error = format!("{error:#}");
        assert!(error.contains("mail.smtp_ca_file"), "{error}");
        assert!(error.contains(reason), "{error}");
    }
}
