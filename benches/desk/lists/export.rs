//! The export of all quotes, compared with the sqlite3 shell.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::server;
use crate::table::{Budget, Table};

pub(super) fn export(table: &mut Table, folder: &Path) {
    // Earlier writes must not load the disk during the export.
    let database = std::fs::File::open(folder.join("guardpost.db")).unwrap();
    database.sync_all().unwrap();
    let ours = folder.join("ours.csv");
    let mut command = Command::new(server::binary());
    command
        .args(["export-quotes", "--format", "csv", "--force", "--out"])
        .arg(&ours)
        .arg("--data")
        .arg(folder)
        .current_dir(folder);
    let (took, memory) = timed(&mut command);
    let mut shell = Command::new("sqlite3");
    let columns = "id, created_at, updated_at, first_name, last_name, email, phone, company, \
                   service AS service_type, duration, start_date, location, description, status, \
                   emergency_contact, attribution";
    let query = format!("SELECT {columns} FROM requests WHERE kind = 'quote' ORDER BY seq");
    let theirs = std::fs::File::create(folder.join("theirs.csv")).unwrap();
    shell
        .args(["-readonly", "-csv", "-header"])
        .arg(folder.join("guardpost.db"))
        .arg(query)
        .stdout(theirs);
    let (reference, _) = timed(&mut shell);
    let rows = |file: &str| {
        std::fs::read(folder.join(file))
            .unwrap()
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
    };
    assert_eq!(rows("ours.csv"), rows("theirs.csv"));
    let ratio = took.as_secs_f64() / reference.as_secs_f64();
    table.row(
        "export of 1000000 quotes as CSV",
        format!("{took:.2?}, {memory:.0} MB"),
        format!("sqlite3 shell: {reference:.2?}"),
        ratio,
        Budget::AtMost(0.5),
    );
}

/// How long a command runs, and the most memory it has in use, in MB.
fn timed(command: &mut Command) -> (Duration, f64) {
    let start = Instant::now();
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let mut peak: f64 = 0.0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        peak = peak.max(server::memory_of(child.id()).unwrap_or(0.0));
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(status.success());
    (start.elapsed(), peak)
}
