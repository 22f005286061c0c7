//! What `guardpost check` says of a data folder: nothing of a good one, and each fault that was planted.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use rusqlite::{Connection, OpenFlags};

use crate::cli_process::{Cli, CommandOutput, ServerProcess};

/// A folder in which a server has run, with a picture, a person, and quotes.
fn healthy() -> Cli {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    fs::create_dir(cli.path("data/media")).unwrap();
    fs::write(cli.path("data/media/hero.jpg"), "a picture").unwrap();
    ServerProcess::start(&cli, &[]).stop("-TERM");
    cli.run_ok(&["invite-admin", "--email", "ada@guard.example"]);
    cli
}

/// The same folder once more.
fn copy(of: &Cli) -> Cli {
    let cli = Cli::new();
    let copied = Command::new("cp")
        .arg("-a")
        .args([of.path("data"), cli.path("data")])
        .status();
    assert!(copied.unwrap().success());
    cli
}

fn check(cli: &Cli) -> CommandOutput {
    cli.run(&["check"])
}

/// The folder's database, as an operator would open it beside the program.
fn database(data: &Path) -> Connection {
    let file = data.join("guardpost.db");
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
}

/// Writes nonsense over the second half of a file.
fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0xa5);
    fs::write(file, bytes).unwrap();
}

/// Puts a folder where a file was: nobody can read it as a file, not even root.
fn block(file: &Path) {
    fs::remove_file(file).unwrap();
    fs::create_dir(file).unwrap();
}

/// Makes something in the folder belong to somebody else. Who may not give files away points to what is root's.
fn give_away(data: &Path) {
    if chown(data.join("guardpost.db"), Some(65_534), None).is_err() {
        symlink("/", data.join("mail")).unwrap();
    }
}

/// A fault: its name, how it is planted, what the check says of it.
type Fault<'a> = (&'a str, &'a dyn Fn(&Path), &'a str);

#[test]
fn each_fault_of_a_data_folder_is_named_and_ends_the_check_with_1() {
    let (good, other) = (healthy(), healthy());
    let ended = check(&good);
    assert!(
        ended.success && !ended.stdout.contains("fault"),
        "{}",
        ended.stdout
    );

    let foreign = |name: &'static str| {
        let theirs = other.path("data").join(name);
        move |data: &Path| assert!(fs::copy(&theirs, data.join(name)).unwrap() > 0)
    };
    let gone = |name: &'static str| move |data: &Path| fs::remove_file(data.join(name)).unwrap();
    let sql = |text: &'static str| move |data: &Path| database(data).execute_batch(text).unwrap();
    let (foreign_keys, foreign_address) = (foreign("auth-keys.json"), foreign("address.key"));
    let (no_keys, no_address) = (gone("auth-keys.json"), gone("address.key"));
    let (no_picture, no_database) = (gone("media/hero.jpg"), gone("guardpost.db"));
    let orphan = sql(
        "PRAGMA foreign_keys = off; INSERT INTO user_roles (user_id, role, created_at) VALUES ('nobody', 'admin', '')",
    );
    let newer = sql("PRAGMA user_version = 999");
    let faults: [Fault<'_>; 19] = [
        (
            "damaged",
            &|data| damage(&data.join("guardpost.db")),
            "guardpost.db: it is damaged: ",
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
            "guardpost.db: is missing, though its keys are there",
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
            "wrong owner",
            &give_away,
            "run: chown --reference=data data/",
        ),
        (
            "missing media",
            &no_picture,
            "hero.jpg: was shown at the last start and is gone",
        ),
        (
            "unreadable database",
            &|data| block(&data.join("guardpost.db")),
            "guardpost.db: it cannot be read",
        ),
        (
            "unreadable keys",
            &|data| block(&data.join("auth-keys.json")),
            "cannot read data/auth-keys.json",
        ),
        (
            "unreadable media",
            &|data| block(&data.join("media/hero.jpg")),
            "hero.jpg: cannot be read",
        ),
        (
            "unreadable media folder",
            &|data| {
                fs::remove_dir_all(data.join("media")).unwrap();
                fs::write(data.join("media"), "").unwrap()
            },
            "data/media: cannot be read",
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
    for (name, plant, said) in faults {
        let cli = copy(&good);
        plant(&cli.path("data"));
        let ended = check(&cli);
        assert!(!ended.success, "{name}: {}", ended.stdout);
        let named = |line: &&str| line.starts_with("fault: ") && line.contains(said);
        assert!(
            ended.stdout.lines().any(|line| named(&line)),
            "{name}: {}",
            ended.stdout
        );
        assert!(
            ended.stderr.contains("in the data folder data"),
            "{name}: {}",
            ended.stderr
        );
    }
}

#[test]
fn a_disk_with_less_free_space_than_the_settings_ask_for_is_full() {
    let cli = healthy();
    fs::write(
        cli.path("config.toml"),
        "[data]\nmin_free_mb = 1000000000\n",
    )
    .unwrap();
    let ended = check(&cli);
    assert!(!ended.success, "{}", ended.stdout);
    let full = "fault: data: no space is left: ";
    assert!(ended.stdout.contains(full), "{}", ended.stdout);
    assert!(
        ended
            .stdout
            .contains("data.min_free_mb asks for 1000000000"),
        "{}",
        ended.stdout
    );
}

/// Every file with its size and the time of its last change; readers of a database take their locks in the shared memory file.
fn listing(data: &Path) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    let entries = fs::read_dir(data).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let found = entry.metadata().unwrap();
            let locks = entry.path().to_string_lossy().ends_with("-shm");
            let changed = if locks {
                SystemTime::UNIX_EPOCH
            } else {
                found.modified().unwrap()
            };
            (entry.path(), (found.len(), changed))
        })
        .collect()
}

#[test]
fn a_check_writes_nothing_and_finds_the_same_beside_a_running_server() {
    let cli = healthy();
    let before = listing(&cli.path("data"));
    assert!(check(&cli).success);
    assert_eq!(listing(&cli.path("data")), before);

    let server = ServerProcess::start(&cli, &[]);
    let ended = check(&cli);
    assert!(
        ended.success && !ended.stdout.contains("fault"),
        "{}",
        ended.stdout
    );
    let orphan =
        "INSERT INTO user_roles (user_id, role, created_at) VALUES ('nobody', 'admin', '')";
    let conn = database(&cli.path("data"));
    conn.pragma_update(None, "foreign_keys", false).unwrap();
    conn.execute_batch(orphan).unwrap();
    let ended = check(&cli);
    assert!(ended.stdout.contains("1 rows refer"), "{}", ended.stdout);
    server.kill();
    let before = listing(&cli.path("data"));
    assert!(
        !check(&cli).success,
        "what a killed server left in its log counts"
    );
    assert_eq!(listing(&cli.path("data")).len(), before.len());
}

#[test]
fn a_picture_that_is_gone_at_a_start_is_told_once() {
    let cli = healthy();
    fs::remove_file(cli.path("data/media/hero.jpg")).unwrap();
    let (_, log) = ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(
        log.contains("is gone since the last start name=\"hero.jpg\""),
        "{log}"
    );
    assert!(check(&cli).success, "from then on it is not missed");
    let (_, log) = ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(!log.contains("is gone"), "{log}");
}
