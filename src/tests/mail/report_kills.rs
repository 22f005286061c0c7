//! A server that is killed after it has stored a report: the report leaves once.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use config::Auth;
use domain::clock::Clock;
use domain::figures::report::ReportKind;
use tokio::time::timeout;

use super::delivery::{BOUND, app_with, deliver_all};
use crate::server::tls::free_address;
use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::smtp::{Behavior, SmtpServer};

const OWNER: &str = "owner@guard.example";

/// Sets the clock to the last Monday at 7 o'clock, a millisecond before it at first, so that this
/// report is the next one.
async fn to_monday(app: &TestApp) {
    let now = Clock::system().now();
    let due = ReportKind::Week.last_due(now, &app.reports().app.time_zone);
    let before = due.millis() - app.clock.now().millis();
    app.clock.advance(before - 1);
    assert_eq!(app.reports().send_due().await.unwrap(), 0);
    app.clock.advance(1);
}

/// The reports of a week that have arrived.
fn weeks(smtp: &SmtpServer) -> usize {
    let emails = smtp.emails().into_iter();
    emails
        .filter(|mail| mail.to == [OWNER] && mail.subject.starts_with("Your week: "))
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_between_storing_and_sending_sends_the_report_once() {
    let smtp = SmtpServer::start(&[Behavior::RejectContent(451)]).await;
    // A process accepts no weaker passwords than these.
    let app = app_with(&smtp, |config| {
        config.auth = Auth::default();
        config.server.base_url = "http://guard.example".to_owned();
        config.mail.report_to = vec![OWNER.to_owned()];
    })
    .await;
    to_monday(&app).await;
    assert!(app.reports().send_due().await.unwrap() >= 1);
    // A Monday may be the first of the month, too.
    app.sql("DELETE FROM outbox WHERE notice ->> 'kind' = 'month'")
        .await;
    app.advance_to_now();

    let cli = Cli::new();
    let settings = app.config.without_secrets().unwrap();
    fs::write(cli.path("config.toml"), settings).unwrap();
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(app.folder.path(), private).unwrap();
    let serve = || ServerProcess::run(cli.command(&["serve", "--listen", &free_address()]));
    let server = serve();
    timeout(BOUND, smtp.wait_for_attempts(1)).await.unwrap();
    server.kill();
    assert_eq!(weeks(&smtp), 0);

    // The delay, or the lease of the killed server, passes.
    app.sql("UPDATE outbox SET due_at = '1970-01-01T00:00:00.000Z', lease = NULL")
        .await;
    let server = serve();
    let sent = async {
        while app.rows("outbox WHERE state <> 'sent'").await > 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(BOUND, sent).await.unwrap();
    server.kill();
    let server = serve();
    server.kill();
    assert_eq!(app.reports().send_due().await.unwrap(), 0);
    deliver_all(&app.smtp_worker()).await;
    assert_eq!(weeks(&smtp), 1);
}
