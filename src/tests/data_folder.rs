//! `guardpost check` on the data folder: no fault in an intact one, and each injected fault by
//! name.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, SystemTime};

use guardpost::store::{self, Store};
use rusqlite::{Connection, OpenFlags};

use crate::cli_process::{Cli, CommandOutput, ServerProcess};

/// A data folder with an image, an invited admin and quotes, on which a server has run.
fn intact_folder() -> Cli {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    fs::create_dir(cli.path("data/media")).unwrap();
    fs::write(cli.path("data/media/hero.jpg"), "a picture").unwrap();
    ServerProcess::start(&cli, &[]).stop("-TERM");
    cli.run_ok(&["invite-admin", "--email", "ada@guard.example"]);
    cli
}

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

fn check(cli: &Cli) -> CommandOutput {
    cli.run(&["check"])
}

/// Opens the database in a second process, like the sqlite3 shell.
fn database(data: &Path) -> Connection {
    let file = data.join("guardpost.db");
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
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

/// Gives a file another owner. Without the right to do that, links to a folder owned by root.
fn change_owner(data: &Path) {
    if chown(data.join("guardpost.db"), Some(65_534), None).is_err() {
        symlink("/", data.join("mail")).unwrap();
    }
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
    let (no_picture, no_database) = (remove("media/hero.jpg"), remove("guardpost.db"));
    let orphan = sql(
        "PRAGMA foreign_keys = off; INSERT INTO user_roles (user_id, role, created_at) \
         VALUES ('nobody', 'admin', '')",
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
            &change_owner,
            "run: chown --reference=data data/",
        ),
        (
            "missing media",
            &no_picture,
            "hero.jpg: was present at the last start and is gone",
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
            "unreadable media",
            &|data| replace_by_folder(&data.join("media/hero.jpg")),
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
        assert!(
            output.stderr.contains("in the data folder data"),
            "{name}: {}",
            output.stderr
        );
    }
}

#[test]
fn too_little_free_space_is_a_fault() {
    let cli = intact_folder();
    fs::write(
        cli.path("config.toml"),
        "[data]\nmin_free_mb = 1000000000\n",
    )
    .unwrap();
    let output = check(&cli);
    assert!(!output.success, "{}", output.stdout);
    let full = "fault: data: no space is left: ";
    assert!(output.stdout.contains(full), "{}", output.stdout);
    assert!(
        output
            .stdout
            .contains("data.min_free_mb requires 1000000000"),
        "{}",
        output.stdout
    );
}

/// Every file with its size and modification time. The time of the shared memory file is ignored,
/// since SQLite's readers write their locks there.
fn listing(data: &Path) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    let entries = fs::read_dir(data).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let metadata = entry.metadata().unwrap();
            let is_shm = entry.path().to_string_lossy().ends_with("-shm");
            let modified = if is_shm {
                SystemTime::UNIX_EPOCH
            } else {
                metadata.modified().unwrap()
            };
            (entry.path(), (metadata.len(), modified))
        })
        .collect()
}

#[test]
fn check_writes_nothing_and_works_while_a_server_runs() {
    let cli = intact_folder();
    let before = listing(&cli.path("data"));
    assert!(check(&cli).success);
    assert_eq!(listing(&cli.path("data")), before);

    let server = ServerProcess::start(&cli, &[]);
    let output = check(&cli);
    assert!(
        output.success && !output.stdout.contains("fault"),
        "{}",
        output.stdout
    );
    let orphan =
        "INSERT INTO user_roles (user_id, role, created_at) VALUES ('nobody', 'admin', '')";
    let conn = database(&cli.path("data"));
    conn.pragma_update(None, "foreign_keys", false).unwrap();
    conn.execute_batch(orphan).unwrap();
    let output = check(&cli);
    assert!(output.stdout.contains("1 rows refer"), "{}", output.stdout);
    server.kill();
    let before = listing(&cli.path("data"));
    assert!(
        !check(&cli).success,
        "the check reads the WAL of a killed server"
    );
    assert_eq!(listing(&cli.path("data")).len(), before.len());
}

#[test]
fn a_missing_image_is_logged_at_one_start() {
    let cli = intact_folder();
    fs::remove_file(cli.path("data/media/hero.jpg")).unwrap();
    let (_, log) = ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(
        log.contains("is gone since the last start name=\"hero.jpg\""),
        "{log}"
    );
    assert!(check(&cli).success, "the second start does not expect it");
    let (_, log) = ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(!log.contains("is gone"), "{log}");
}

/// Opens a store on `file`, begins `work` on it with another handle that the work drops as the last
/// one, and waits for the work to end.
fn end_with_last_handle<F>(file: &Path, work: impl FnOnce(Store, LastHandle) -> F)
where
    F: Future<Output = store::Result<()>> + Send + 'static,
{
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (started, start) = channel();
    let (abandoned, wait) = channel();
    let store = Store::open(file).unwrap();
    let last = LastHandle {
        store: store.clone(),
        started,
        wait,
    };
    let caller = runtime.spawn(work(store, last));
    start.recv().unwrap();
    // The client goes away.
    caller.abort();
    let ended = runtime.block_on(caller);
    assert!(ended.is_err_and(|error| error.is_cancelled()));
    abandoned.send(()).unwrap();
    runtime.shutdown_timeout(Duration::from_secs(10));
}

struct LastHandle {
    store: Store,
    started: Sender<()>,
    wait: Receiver<()>,
}

impl LastHandle {
    fn drop_when_last(self) {
        self.started.send(()).unwrap();
        self.wait.recv().unwrap();
        drop(self.store);
    }
}

#[test]
fn a_read_that_owns_the_last_handle_of_the_database_closes_it() {
    let folder = tempfile::tempdir().unwrap();
    end_with_last_handle(&folder.path().join("guardpost.db"), async |store, last| {
        let read = store.read(move |_| {
            last.drop_when_last();
            Ok(())
        });
        read.await
    });
    assert!(!folder.path().join("guardpost.db-wal").exists());
}

#[test]
fn a_write_that_owns_the_last_handle_of_the_database_is_committed() {
    let folder = tempfile::tempdir().unwrap();
    end_with_last_handle(&folder.path().join("guardpost.db"), async |store, last| {
        let write = store.write(move |conn| {
            last.drop_when_last();
            Ok(conn.execute_batch("CREATE TABLE written (id INTEGER)")?)
        });
        write.await
    });
    let conn = database(folder.path());
    conn.busy_timeout(Duration::from_secs(10)).unwrap();
    // Waits for the end of the write.
    conn.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(conn.table_exists(None, "written").unwrap());
}
