//! Each injected fault of a data folder is named by `guardpost check`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::{check, database, intact_folder};
use crate::support::cli_process::Cli;

/// A copy of the folder.
fn copy(original: &Cli) -> Cli {
    let cli = Cli::new();
    let copied = Command::new("cp")
        .arg("-a")
        .args([original.path("data"), cli.path("data")])
        .status();
    assert!(copied.unwrap().success());
    cli
}

/// Overwrites the second half of a file.
fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0xa5);
    fs::write(file, bytes).unwrap();
}

/// Replaces a file by a folder: even root cannot read it as a file.
fn replace_by_folder(file: &Path) {
    fs::remove_file(file).unwrap();
    fs::create_dir(file).unwrap();
}

/// A fault: its name, a function that injects it, and the expected message.
type Fault<'a> = (&'a str, &'a dyn Fn(&Path), &'a str);

#[test]
fn check_names_each_fault_and_exits_with_1() {
    let (intact, other) = (intact_folder(), intact_folder());
    let output = check(&intact);
    assert!(
        output.success && !output.stdout.contains("fault"),
        "{}",
        output.stdout
    );

    let foreign = |name: &'static str| {
        let source = other.path("data").join(name);
        move |data: &Path| assert!(fs::copy(&source, data.join(name)).unwrap() > 0)
    };
    let remove = |name: &'static str| move |data: &Path| fs::remove_file(data.join(name)).unwrap();
    let sql = |text: &'static str| move |data: &Path| database(data).execute_batch(text).unwrap();
    let (foreign_keys, foreign_address) = (foreign("auth-keys.json"), foreign("address.key"));
    let (no_keys, no_address) = (remove("auth-keys.json"), remove("address.key"));
    let no_database = remove("guardpost.db");
    let orphan = sql(
        "PRAGMA foreign_keys = off; INSERT INTO user_roles (user_id, role, created_at) \
         VALUES ('nobody', 'admin', '')",
    );
    let newer = sql("PRAGMA user_version = 999");
    let older = sql("PRAGMA user_version = 67");
    let faults: [Fault<'_>; 18] = [
        (
            "damaged",
            &|data| damage(&data.join("guardpost.db")),
            "guardpost.db: it is damaged: ",
        ),
        (
            "interrupted restore",
            &|data| fs::create_dir(data.join(".restoring")).unwrap(),
            "the restore into data was interrupted, so the folder is incomplete: type `rm -r data`",
        ),
        (
            "database elsewhere",
            &|data| {
                let elsewhere = data.parent().unwrap().join("elsewhere.db");
                fs::rename(data.join("guardpost.db"), &elsewhere).unwrap();
                symlink(elsewhere, data.join("guardpost.db")).unwrap();
            },
            "data/guardpost.db is a symbolic link",
        ),
        (
            "no database",
            &|data| fs::write(data.join("guardpost.db"), [b'x'; 4096]).unwrap(),
            "guardpost.db: it is damaged: ",
        ),
        (
            "empty",
            &|data| fs::write(data.join("guardpost.db"), "").unwrap(),
            "it holds nothing of this program",
        ),
        (
            "lost database",
            &no_database,
            "guardpost.db: is missing, although its key files exist",
        ),
        (
            "orphans",
            &orphan,
            "1 rows refer to rows that are not there",
        ),
        (
            "newer schema",
            &newer,
            "written by a newer guardpost (schema 999, ",
        ),
        (
            "older schema",
            &older,
            "an older guardpost (schema 67): start the build of November 28, 2026 on it once",
        ),
        (
            "no keys",
            &no_keys,
            "auth-keys.json is missing, and this database was used with it",
        ),
        ("no address key", &no_address, "address.key is missing, and"),
        (
            "foreign keys",
            &foreign_keys,
            "auth-keys.json belongs to another database",
        ),
        (
            "foreign address key",
            &foreign_address,
            "address.key belongs to another database",
        ),
        (
            "damaged keys",
            &|data| damage(&data.join("auth-keys.json")),
            "auth-keys.json holds no keys",
        ),
        (
            "damaged address key",
            &|data| damage(&data.join("address.key")),
            "address.key holds no keys",
        ),
        (
            "unreadable database",
            &|data| replace_by_folder(&data.join("guardpost.db")),
            "guardpost.db: it cannot be read",
        ),
        (
            "unreadable keys",
            &|data| replace_by_folder(&data.join("auth-keys.json")),
            "cannot read data/auth-keys.json",
        ),
        (
            "unreadable mail folder",
            &|data| {
                let _ = fs::remove_dir_all(data.join("mail"));
                fs::write(data.join("mail"), "").unwrap()
            },
            "data/mail: cannot be read",
        ),
    ];
    for (name, inject, message) in faults {
        let cli = copy(&intact);
        inject(&cli.path("data"));
        let output = check(&cli);
        assert!(!output.success, "{name}: {}", output.stdout);
        let is_expected = |line: &&str| line.starts_with("fault: ") && line.contains(message);
        assert!(
            output.stdout.lines().any(|line| is_expected(&line)),
            "{name}: {}",
            output.stdout
        );
        assert!(output.stderr.contains("fault"), "{name}: {}", output.stderr);
    }
}
