//! Account commands of the operator.

mod access;

use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, CommandOutput, ServerProcess};
use crate::support::people::PASSWORD;

impl Cli {
    /// Runs `create-admin` with the password from a pipe.
    pub fn create_admin(&self, email: &str, password: &str) -> CommandOutput {
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
                crate::support::app::START
            ),
        ]
    );
}

#[tokio::test]
async fn an_admin_is_demoted_suspended_and_deleted_by_command_but_never_the_last_one() {
    let app = TestApp::start().await;
    app.admin().await;
    let cli = Cli::on_data_of(&app);
    for (command, more) in [
        ("set-role", &["--role", "none"][..]),
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
    for done in ["a dispatcher now.", "a dispatcher already"] {
        let none = cli.run_ok(&command("set-role", &["--role", "none"]));
        let said = format!("max@guard.example is neither an admin nor {done}");
        assert!(none.contains(&said), "{none}");
    }
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

#[tokio::test]
async fn dispatchers_are_created_invited_promoted_and_listed() {
    let app = TestApp::start().await;
    app.admin().await;
    app.join("max@guard.example").await;
    let cli = Cli::on_data_of(&app);
    let set =
        |email: &str, role: &str| ["set-role", "--email", email, "--role", role].map(String::from);
    let run = |args: &[String]| cli.run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let made = run(&set("max@guard.example", "dispatcher"));
    assert_eq!(made.stdout, "max@guard.example is a dispatcher now.\n");
    let again = run(&set("max@guard.example", "dispatcher"));
    assert!(
        again.stdout.contains("is a dispatcher already"),
        "{}",
        again.stdout
    );
    let invite = [
        "invite-admin",
        "--email",
        "new@guard.example",
        "--role",
        "dispatcher",
    ];
    cli.run_ok(&invite);
    let list = cli.run_ok(&["list-users"]);
    assert!(list.contains("max@guard.example  [dispatcher]"), "{list}");
    assert!(
        list.contains("new@guard.example  [dispatcher, unconfirmed]"),
        "{list}"
    );

    let last = run(&set("ada@guard.example", "dispatcher"));
    assert!(
        !last.success && last.stderr.contains("last admin"),
        "{}",
        last.stderr
    );
    let unknown = run(&set("max@guard.example", "owner"));
    assert!(
        unknown.stderr.contains("`admin` or `dispatcher`"),
        "{}",
        unknown.stderr
    );
    let promoted = run(&set("max@guard.example", "admin"));
    assert_eq!(promoted.stdout, "max@guard.example is an admin now.\n");
    run(&set("ada@guard.example", "dispatcher"));
    run(&set("ada@guard.example", "none"));
    assert_eq!(app.rows("user_roles WHERE role = 'dispatcher'").await, 1);
}
