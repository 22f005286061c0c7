//! Commands that give access or end it: invitations, links, factors, sessions and keys.

use domain::clock::Clock;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, CommandOutput};

impl TestApp {
    /// Commands use the system clock; set the app's clock to it, so that both agree on what has
    /// expired.
    fn set_clock_right(&self) {
        let now = Clock::system().now();
        self.clock.advance(now.millis() - self.clock.now().millis());
    }
}

#[tokio::test]
async fn revoked_sessions_end_at_once() {
    let app = TestApp::start().await;
    let ada = app.admin().await;
    let cli = Cli::on_data_of(&app);
    assert_eq!(
        cli.run_ok(&["revoke-sessions", "--email", "ada@guard.example"]),
        "1 session of ada@guard.example ended.\n"
    );
    let answer = app
        .http
        .get(app.url("/auth/v1/user"))
        .bearer_auth(&ada.access_token)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 403);
    assert!(
        cli.run_err(&["revoke-sessions", "--email", "nobody@guard.example"])
            .contains("no account has the address nobody@guard.example")
    );
    assert_eq!(app.rows("audit WHERE action = 'sessions_revoked'").await, 1);
}

#[tokio::test]
async fn invite_admin_sends_an_email_or_prints_the_link_without_a_mail_server() {
    let app = TestApp::start().await;
    app.set_clock_right();
    let cli = Cli::on_data_of(&app);
    let said = cli.run_ok(&["invite-admin", "--email", "new@guard.example"]);
    let link = said.lines().last().unwrap();
    assert!(link.contains("/auth/v1/verify?token="), "{said}");
    app.run_outbox().await;
    let mail = app.mailbox().remove(0);
    assert_eq!(mail.to, ["new@guard.example"]);
    assert_eq!(mail.link().as_deref(), Some(link));
    assert!(
        cli.run_ok(&["list-users"])
            .starts_with("new@guard.example  [admin, unconfirmed]")
    );
    assert_eq!(app.rows("audit WHERE action = 'user_invited'").await, 1);

    for (setting, value, origin) in [
        ("LISTEN", "127.0.0.1:9999", "http://127.0.0.1:9999"),
        ("BASE_URL", "https://guard.example", "https://guard.example"),
    ] {
        let mut invite = cli.command(&["invite-admin", "--email", "new@guard.example"]);
        invite.env(format!("GUARDPOST_SERVER__{setting}"), value);
        let said = CommandOutput::of(invite.output().unwrap());
        let link = said.stdout.lines().last().unwrap();
        assert!(link.starts_with(&format!("{origin}/auth/v1/")), "{link}");
        assert_eq!(
            said.stderr.contains("server.base_url"),
            setting == "LISTEN",
            "a link that opens on this host alone is pointed out: {}",
            said.stderr
        );
    }

    app.join("max@guard.example").await;
    let refusal = cli.run_err(&["invite-admin", "--email", "max@guard.example"]);
    assert!(refusal.contains("set-role"), "{refusal}");
}

#[tokio::test]
async fn reset_password_sends_an_email_or_prints_a_link() {
    let app = TestApp::start().await;
    app.set_clock_right();
    app.join("max@guard.example").await;
    let cli = Cli::on_data_of(&app);
    let command = ["reset-password", "--email", "max@guard.example"];
    assert!(cli.run_ok(&command).contains("/auth/v1/verify?token="));
    assert_eq!(app.rows("outbox").await, 0, "no mail server, no mail");

    let mut with_server = cli.command(&command);
    with_server.env("GUARDPOST_MAIL__SMTP_HOST", "mail.guard.example");
    let said = CommandOutput::of(with_server.output().unwrap());
    assert!(
        said.stdout.contains("sends an email to max@guard.example"),
        "{}{}",
        said.stdout,
        said.stderr
    );
    app.run_outbox().await;
    assert_eq!(app.mailbox()[0].subject, "Choose a new password");

    let nobody = ["reset-password", "--email", "nobody@guard.example"];
    assert!(
        cli.run_err(&nobody)
            .contains("no account has the address nobody@guard.example")
    );
}

#[tokio::test]
async fn disable_factor_removes_lost_factors() {
    let app = TestApp::start().await;
    app.set_clock_right();
    let ada = app.admin().await;
    let enrolled = app
        .http
        .post(app.url("/auth/v1/factors"))
        .bearer_auth(&ada.access_token)
        .json(&json!({"factor_type": "totp", "friendly_name": "phone"}))
        .send()
        .await
        .unwrap();
    assert_eq!(enrolled.status(), 200);
    let cli = Cli::on_data_of(&app);
    let command = ["disable-factor", "--email", "ada@guard.example"];
    assert_eq!(
        cli.run_ok(&command),
        "1 factor of ada@guard.example removed.\n"
    );
    assert_eq!(app.rows("factors").await, 0);
    assert_eq!(
        app.rows("audit WHERE actor = 'operator' AND action LIKE 'factor%'")
            .await,
        1
    );
    assert!(
        cli.run_err(&["disable-factor", "--email", "nobody@guard.example"])
            .contains("no account has the address nobody@guard.example")
    );
}
