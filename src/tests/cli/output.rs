//! What commands do when nobody reads what they print, and when it cannot be written.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::process::{Command, Stdio};

use crate::support::cli_process::{Cli, CommandOutput};

/// Every command but `serve`, with arguments with which it has something to say, in an order in
/// which they can follow each other, and more than once.
const COMMANDS: &str = "\
check
check --json
check --all
status
status --json
config
config --json
seed-demo
backup-key one.key
backup --to all
list-backups all
list-backups all --json
verify-backup all
restore all --to restored
promote --data restored
export --all --out all.jsonl
import all.jsonl --data imported
export-quotes
export-quotes --format json
export-quotes --format jsonl --out quotes.jsonl --force
export-messages --format jsonl
export-offers
offer verify
offer verify config.toml
person export someone@mail.example
person erase someone@mail.example
person erase someone@mail.example --yes
figures
figures --json
invite-admin --email ada@guard.example
create-admin --email ada@guard.example --password-stdin
list-users
set-role --email ada@guard.example --role dispatcher
reset-password --email ada@guard.example --print
revoke-sessions --email ada@guard.example
disable-factor --email ada@guard.example
suspend-user --email ada@guard.example
outbox list
outbox list --held
outbox show 1
outbox retry --all
outbox release --all
receive
files list
files list --json
files check
files check --json
files move --to data
content export content
content import content
rotate-keys
replace-keys --lost
delete-user --email ada@guard.example --yes
completions bash
man --out man
openapi
";

/// The names of the commands in `guardpost --help`.
fn names(cli: &Cli) -> BTreeSet<String> {
    let help = cli.run_ok(&["--help"]);
    let lines = help.lines().take_while(|line| *line != "Options:");
    let lines = lines.filter(|line| line.starts_with("  "));
    lines
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_does_its_work_when_nobody_reads_and_says_when_it_cannot_write() {
    let cli = Cli::new();
    std::fs::write(cli.path("config.toml"), "").unwrap();
    cli.run_ok(&["seed-demo"]);
    let run = |arguments: &[&str], out: Stdio, errors: Stdio| {
        let mut command = cli.command(arguments);
        let output = command.stdout(out).stderr(errors).output().unwrap();
        let code = output.status.code();
        let said = CommandOutput::of(output);
        let ended = matches!(code, Some(0 | 1 | 65 | 75));
        assert!(
            ended && !said.stderr.contains("panicked"),
            "{arguments:?}: {code:?} {}",
            said.stderr
        );
        said
    };
    let closed = || Stdio::from(io::pipe().unwrap().1);
    let mut untried = names(&cli);
    untried.remove("serve");
    for line in COMMANDS.lines() {
        let arguments: Vec<&str> = line.split(' ').collect();
        untried.remove(arguments[0]);
        let both_closed = run(&arguments, closed(), closed());
        let closed = run(&arguments, closed(), Stdio::piped());
        let read = run(&arguments, Stdio::piped(), Stdio::piped());
        if read.success {
            assert!(closed.success, "{line}: {}", closed.stderr);
            assert!(both_closed.success, "{line}");
        }
    }
    for data in ["export-quotes", "figures", "openapi"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let full = run(&[data], full.into(), Stdio::piped());
        assert!(
            full.stderr.contains("No space left"),
            "{data}: {}",
            full.stderr
        );
    }
    assert!(untried.is_empty(), "add them to the list: {untried:?}");
}

#[test]
fn an_export_that_was_killed_never_has_its_name() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    std::fs::create_dir(cli.path("made")).unwrap();
    cli.run_ok(&["export", "--all", "--out", "whole"]);
    let bytes = std::fs::metadata(cli.path("whole")).unwrap().len();
    // The system ends a process that writes beyond this limit, most of the export.
    let limited = format!(
        "ulimit -f {}; exec \"$0\" export --all --out made/it",
        bytes * 9 / 10 / 1024
    );
    let mut command = Command::new("bash");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_guardpost")]);
    let output = command.current_dir(cli.folder.path()).env_clear().output();
    assert_eq!(output.unwrap().status.code(), None, "it was killed");
    let left = std::fs::read_dir(cli.path("made")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(
        left[0].to_string_lossy().starts_with(".guardpost-"),
        "{left:?}"
    );
}
