//! Account commands of the operator.

use std::io::Write;
use std::process::Stdio;

use guardpost::domain::clock::Clock;
use serde_json::json;

use crate::app::TestApp;
use crate::cli_process::{Cli, CommandOutput, ServerProcess};
use crate::people::PASSWORD;

impl Cli {
    /// Runs `create-admin` with the password from a pipe.
    fn create_admin(&self, email: &str, password: &str) -> CommandOutput {
        let mut command = self.command(&["create-admin", "--email", email, "--password-stdin"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that rejects its arguments exits before it reads anything.
        let _ = writeln!(child.stdin.take().unwrap(), "{password}");
        CommandOutput::of(child.wait_with_output().unwrap())
    }
}

impl TestApp {
    /// Commands use the system clock; set the app's clock to it, so that both agree on what has
    /// expired.
    fn set_clock_right(&self) {
        let now = Clock::system().now();
        self.clock.advance(now.millis() - self.clock.now().millis());
    }
}

#[tokio::test]
async fn create_admin_creates_the_first_admin_who_signs_in() {
    let cli = Cli::new();
    let made = cli.create_admin("Ada@guard.example", PASSWORD);
    assert!(made.success, "{}", made.stderr);
    assert_eq!(
        made.stdout,
        "ada@guard.example is an admin now, with a new account.\n"
    );

    let server = ServerProcess::start(&cli, &[]);
    let answer = reqwest::Client::new()
        .post(format!(
            "{}auth/v1/token?grant_type=password",
            server.banner_url("Site")
        ))
        .json(&json!({"email": "ada@guard.example", "password": PASSWORD}))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
    server.stop("-TERM");
}

#[tokio::test]
async fn create_admin_grants_an_existing_user_the_role_and_keeps_the_password() {
    let app = TestApp::start().await;
    app.join("max@guard.example").await;
    let cli = Cli::on_data_of(&app);
    let made = cli.create_admin("max@guard.example", "something else entirely");
    assert!(
        made.stdout.contains("had an account and is an admin now"),
        "{}",
        made.stdout
    );
    let again = cli.create_admin("max@guard.example", "");
    assert!(again.stdout.contains("admin already"), "{}", again.stdout);
    app.sign_in("max@guard.example").await;
    assert_eq!(app.rows("user_roles WHERE role = 'admin'").await, 1);
    assert_eq!(app.rows("audit WHERE action = 'role_granted'").await, 1);
}

#[test]
fn a_weak_password_is_rejected_with_reasons() {
    let cli = Cli::new();
    for (password, reason) in [
        ("short", "at least 12 characters"),
        ("password1234", "easy to guess"),
        ("", "at least 12"),
    ] {
        let refused = cli.create_admin("ada@guard.example", password);
        assert!(!refused.success, "{password}");
        assert!(
            refused.stderr.contains(reason),
            "{password}: {}",
            refused.stderr
        );
    }
    let refused = cli.create_admin("nobody", PASSWORD);
    assert!(refused.stderr.contains("nobody"), "{}", refused.stderr);
    assert!(
        cli.run_err(&["create-admin", "--email", "ada@guard.example"])
            .contains("--password-stdin")
    );
    let listed = cli.run(&["list-users"]);
    assert!(
        listed.success && listed.stdout.is_empty(),
        "{}",
        listed.stdout
    );
    assert!(listed.stderr.contains("create-admin"), "{}", listed.stderr);
}

#[tokio::test]
async fn list_users_shows_roles() {
    let app = TestApp::start().await;
    app.admin().await;
    app.clock.advance(1000);
    app.join("max@guard.example").await;
    let list = Cli::on_data_of(&app).run_ok(&["list-users"]);
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(
        lines,
        [
            "max@guard.example  []  never signed in".to_owned(),
            format!(
                "ada@guard.example  [admin]  last signed in {}",
                crate::app::START
            ),
        ]
    );
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
async fn rotating_keys_keeps_sessions() {
    let app = TestApp::start().await;
    app.set_clock_right();
    let ada = app.admin().await;
    let said = Cli::on_data_of(&app).run_ok(&["rotate-keys"]);
    assert!(said.starts_with("The new key is "), "{said}");
    app.clock.advance(11 * 60 * 1000);
    let new = app.sign_in("ada@guard.example").await;
    assert_ne!(
        footer(&ada.access_token),
        footer(&new.access_token),
        "signed by the new key"
    );
    for token in [ada.access_token, new.access_token] {
        let user = app.http.get(app.url("/auth/v1/user")).bearer_auth(token);
        assert_eq!(user.send().await.unwrap().status(), 200);
    }
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
    assert!(refusal.contains("create-admin"), "{refusal}");
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

/// The footer of a token, which contains the key id.
fn footer(token: &str) -> Option<&str> {
    token.split('.').nth(3)
}

#[tokio::test]
async fn an_admin_is_demoted_suspended_and_deleted_by_command_but_never_the_last_one() {
    let app = TestApp::start().await;
    app.admin().await;
    let cli = Cli::on_data_of(&app);
    for (command, more) in [
        ("demote-admin", &[][..]),
        ("suspend-user", &[]),
        ("delete-user", &["--yes"]),
    ] {
        let arguments = [&[command, "--email", "ada@guard.example"], more].concat();
        assert!(cli.run_err(&arguments).contains("last admin"), "{command}");
    }
    app.admin_as("max@guard.example").await;
    let email = ["--email", "max@guard.example"];
    let command = |name: &'static str, more: &[&'static str]| [&[name], &email[..], more].concat();
    assert!(
        cli.run_ok(&command("suspend-user", &["--hours", "48"]))
            .contains("48 hours")
    );
    assert!(
        cli.run_ok(&command("suspend-user", &["--lift"]))
            .contains("sign in again")
    );
    assert!(
        cli.run_ok(&command("demote-admin", &[]))
            .contains("no admin any longer")
    );
    assert!(
        cli.run_ok(&command("demote-admin", &[]))
            .contains("was not an admin")
    );
    assert!(cli.run_err(&command("delete-user", &[])).contains("--yes"));
    assert!(
        cli.run_ok(&command("delete-user", &["--yes"]))
            .contains("is deleted")
    );
    assert!(
        cli.run_err(&command("delete-user", &["--yes"]))
            .contains("no account")
    );
}
