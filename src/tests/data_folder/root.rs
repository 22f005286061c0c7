//! Commands that root runs on the folder of a service, and the secrets that they read.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

use crate::support::cli_process::{Cli, CommandOutput, ServerProcess};

/// A user that is not root, and needs no account.
const SERVICE: u32 = 61_234;

/// Whether root runs the tests; says so if not.
fn is_root() -> bool {
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    if !is_root {
        eprintln!("SKIPPED: only root can run a command as root");
    }
    is_root
}

/// A folder whose `data` belongs to `SERVICE`, as the unit has it before the first start.
fn service_folder() -> Cli {
    let cli = Cli::new();
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(cli.folder.path(), open).unwrap();
    for folder in ["data", "backups"] {
        fs::create_dir(cli.path(folder)).unwrap();
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(cli.path(folder), private).unwrap();
        chown(cli.path(folder), Some(SERVICE), Some(SERVICE)).unwrap();
    }
    cli
}

/// Asserts that everything below `folder` belongs to `SERVICE`; returns the number of files.
fn count_owned(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let (path, metadata) = (entry.path(), entry.metadata().unwrap());
            let owner = (metadata.uid(), metadata.gid());
            assert_eq!(owner, (SERVICE, SERVICE), "{}", path.display());
            match metadata.is_dir() {
                true => count_owned(&path),
                false => 1,
            }
        })
        .sum()
}

#[test]
fn commands_that_root_runs_on_the_services_folder_leave_files_that_the_service_can_read() {
    if !is_root() {
        return;
    }
    let cli = service_folder();
    let backups = cli.path("backups");
    for arguments in [
        &["invite-admin", "--email", "ada@guard.example"][..],
        &["list-users"],
        &["rotate-keys"],
        &["backup", "--to", backups.to_str().unwrap()],
        &["check"],
    ] {
        cli.run_ok(arguments);
        count_owned(&cli.path("data"));
    }
    assert!(count_owned(&cli.path("data")) >= 2);
    assert!(count_owned(&backups) >= 3);
    let server = ServerProcess::start(&cli, &[]);
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    assert!(status.contains(&format!("Uid:\t{SERVICE}\t{SERVICE}\t{SERVICE}")));
    assert!(
        status.contains("CapEff:\t0000000000000400"),
        "ports below 1024 only: {status}"
    );
    assert!(server.stop("-TERM").0);
    count_owned(&cli.path("data"));
}

#[test]
fn a_command_that_fails_as_the_owner_says_as_whom_it_ran() {
    if !is_root() {
        return;
    }
    let cli = service_folder();
    cli.run_ok(&["invite-admin", "--email", "ada@guard.example"]);
    let error = cli.run_err(&["delete-user", "--email", "nobody@guard.example", "--yes"]);
    assert!(
        !error.contains("as user"),
        "it has nothing to do with rights: {error}"
    );
    fs::create_dir(cli.path("roots")).unwrap();
    let roots = cli.path("roots");
    fs::set_permissions(&roots, fs::Permissions::from_mode(0o700)).unwrap();
    let error = cli.run_err(&["backup", "--to", roots.to_str().unwrap()]);
    assert!(
        error.contains(&format!("as user {SERVICE}, the owner of data: ")),
        "{error}"
    );
}

#[test]
fn commands_read_the_secrets_of_the_service_from_its_file() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let settings = "[backup]\nto = \"s3://plans\"\n[s3]\naccess_key_id = \"a\"\n\
                    endpoint = \"http://127.0.0.1:1\"\n";
    fs::write(cli.path("config.toml"), settings).unwrap();
    let list = |arguments: &[&str]| {
        let all = [&["check"], arguments].concat();
        let CommandOutput { stdout, .. } = cli.run(&all);
        stdout.contains("GUARDPOST_S3__SECRET_ACCESS_KEY")
    };
    assert!(list(&[]), "without its file the secret is missing");
    let secrets = "# Secrets\nGUARDPOST_S3__SECRET_ACCESS_KEY='of the bucket'\n";
    fs::write(cli.path("secrets.env"), secrets).unwrap();
    assert!(!list(&["--env-file", "secrets.env"]));
    let error = cli.run_err(&["list-users", "--env-file", "absent.env"]);
    assert!(
        error.contains("--env-file: cannot read absent.env"),
        "{error}"
    );

    if is_root() {
        let cli = service_folder();
        let file = cli.path("secrets.env");
        fs::write(&file, "GUARDPOST_SERVER__LISTEN=nowhere").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let arguments = ["check", "--env-file", file.to_str().unwrap()];
        let output = cli.run(&arguments);
        assert!(
            output.stdout.contains("GUARDPOST_SERVER__LISTEN"),
            "a file that only root reads is read before the rights are given up: {}",
            output.stdout
        );
    }
}

#[test]
fn a_data_folder_that_is_a_file_or_does_not_exist_is_named() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    for arguments in [
        &["list-users", "--data", "data/guardpost.db"][..],
        &["serve", "--data", "data/guardpost.db"],
        &["backup", "--to", "b", "--data", "data/guardpost.db"],
    ] {
        let error = cli.run_err(arguments);
        let expected = "the data folder data/guardpost.db is a file: --data and `data.dir` name a \
                        folder; name the folder that it is in";
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    let output = cli.run(&["check", "--data", "dta"]);
    assert!(!output.success);
    let expected = "fault: dta: does not exist; `guardpost serve` creates it";
    assert!(output.stdout.contains(expected), "{}", output.stdout);
    let (_, log) = ServerProcess::start(&cli, &["--data", "new"]).stop("-TERM");
    assert!(log.contains("created the data folder"), "{log}");
}
