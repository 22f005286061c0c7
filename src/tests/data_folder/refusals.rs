//! Folders on which no server starts: another one runs there, the disk is read-only, others can
//! read them. Each is named with its cause, by `serve` and by `check`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use reqwest::StatusCode;

use super::check;
use crate::support::cli_process::{Cli, CommandOutput, ServerProcess};
use crate::support::visitors::{ask, quote};

#[test]
fn a_second_server_on_a_folder_is_refused_with_the_process_of_the_first() {
    let cli = Cli::new();
    let first = ServerProcess::start(&cli, &[]);
    let error = cli.run_err(&["serve", "--listen", "127.0.0.1:0"]);
    let expected = format!("another guardpost runs on it (process {})", first.pid());
    assert!(error.contains(&expected), "{error}");
    cli.run_ok(&["list-users"]);
    first.kill();
    ServerProcess::start(&cli, &[]).stop("-TERM");
}

#[test]
fn commands_that_write_refuse_a_folder_that_others_can_read_as_serve_does() {
    let cli = Cli::new();
    fs::create_dir(cli.path("data")).unwrap();
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(cli.path("data"), open).unwrap();
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["seed-demo"],
        &["create-admin", "--email", "ada@guard.example"],
        &["invite-admin", "--email", "ada@guard.example"],
    ] {
        let error = cli.run_err(command);
        assert!(error.contains("(mode 755); run: chmod 700 data"), "{error}");
    }
    assert_eq!(fs::read_dir(cli.path("data")).unwrap().count(), 0);
    assert!(check(&cli).stdout.contains("run: chmod 700 data\n"));
}

#[test]
fn a_key_of_backups_that_does_not_exist_is_a_fault() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let settings = "[backup]\nto = \"backups\"\nkey_file = \"absent.key\"\n";
    fs::write(cli.path("config.toml"), settings).unwrap();
    let found = check(&cli);
    let is_named = found.stdout.contains("fault: backup.key_file: ");
    assert!(!found.success && is_named, "{}", found.stdout);
}

#[test]
fn a_copy_of_the_database_is_named_with_its_age() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let copy = cli.path("data/guardpost.db.schema-68");
    fs::copy(cli.path("data/guardpost.db"), copy).unwrap();
    let found = cli.run_ok(&["check", "--all"]);
    let expected = "ok: data/guardpost.db.schema-68: a copy of the database with all its rows, \
                    0 days old";
    assert!(found.contains(expected), "{found}");
}

/// Runs a script in a namespace with file systems of its own; `None` if this machine allows none.
fn in_namespace(cli: &Cli, script: &str) -> Option<CommandOutput> {
    let run = |script: &str| {
        let mut command = Command::new("unshare");
        let flags = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c"];
        command
            .args(flags)
            .args([script, env!("CARGO_BIN_EXE_guardpost")]);
        command.current_dir(cli.folder.path()).output().ok()
    };
    let is_allowed = run("mount -t tmpfs none /mnt")?.status.success();
    is_allowed.then(|| CommandOutput::of(run(script).unwrap()))
}

#[test]
fn a_read_only_disk_is_a_fault_and_the_cause_why_no_server_starts() {
    let cli = Cli::new();
    fs::create_dir(cli.path("data")).unwrap();
    let script = "mount -t tmpfs -o mode=700 none data && $0 seed-demo > /dev/null
        mount -o remount,ro data
        $0 check && echo CHECKED
        $0 serve --listen 127.0.0.1:0";
    let Some(output) = in_namespace(&cli, script) else {
        return eprintln!("SKIPPED: this machine allows no file systems of its own");
    };
    let cause = "data is on a file system that is mounted read-only";
    assert!(!output.success && !output.stdout.contains("CHECKED"));
    assert!(
        output.stdout.contains(&format!("fault: {cause}")),
        "{}",
        output.stdout
    );
    assert!(output.stderr.contains(cause), "{}", output.stderr);
}

#[tokio::test]
async fn a_running_server_whose_disk_takes_no_more_writes_says_so() {
    let cli = Cli::new();
    let serve = cli.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut command = Command::new("/bin/sh");
    // Without the signal, a write beyond the limit is an error of the disk.
    let arguments = ["-c", "trap '' XFSZ; exec \"$@\"", "sh"];
    command
        .args(arguments)
        .arg(serve.get_program())
        .args(serve.get_args());
    command.current_dir(cli.folder.path()).env_clear();
    command.env("GUARDPOST_DATA__REQUEST_RESERVE_MB", "0");
    let server = ServerProcess::run(command);
    let pid = server.pid().to_string();
    let limit = ["--pid", &pid, "--fsize=0"];
    let limited = Command::new("prlimit").args(limit).status();
    assert!(limited.unwrap().success());
    let (http, origin) = (reqwest::Client::new(), server.origin());
    let ready = http.get(format!("{origin}/readyz")).send().await.unwrap();
    assert_eq!(ready.status(), StatusCode::SERVICE_UNAVAILABLE);
    let body = quote(serde_json::json!({}));
    let asked = ask(&http, &origin, "198.51.100.1", None, &body).await;
    assert_eq!(asked.unwrap().status(), StatusCode::SERVICE_UNAVAILABLE);
}
