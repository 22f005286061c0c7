//! The list of commands in `guardpost --help`, by what they are about.

use std::fmt::Write;

use clap::{Command, CommandFactory};

use super::Cli;

/// The commands that are shown: those of the first day, then the others.
const GROUPS: [(&str, &[&str]); 8] = [
    (
        "The first day",
        &["serve", "create-admin", "check", "backup-key", "backup"],
    ),
    (
        "Settings and site",
        &["config", "content", "seed-demo", "completions"],
    ),
    (
        "Accounts",
        &[
            "invite-admin",
            "list-users",
            "set-role",
            "reset-password",
            "revoke-sessions",
            "disable-factor",
            "suspend-user",
            "delete-user",
        ],
    ),
    (
        "Requests",
        &["export-quotes", "export-messages", "person", "figures"],
    ),
    ("Offers", &["offer", "export-offers"]),
    ("Emails", &["outbox", "receive"]),
    (
        "Backups",
        &["list-backups", "verify-backup", "restore", "promote"],
    ),
    (
        "Data",
        &["files", "export", "import", "rotate-keys", "replace-keys"],
    ),
];

/// The definition of all commands.
pub(super) fn command() -> Command {
    let command = Cli::command();
    let mut list = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(list, "{group}:");
        for name in names {
            let found = command.find_subcommand(name).and_then(Command::get_about);
            let _ = writeln!(list, "  {name:<16} {}", found.cloned().unwrap_or_default());
        }
        list += "\n";
    }
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_shown_is_in_one_group() {
        let mut listed: Vec<_> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        listed.sort_unstable();
        let command = Cli::command();
        let shown = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let mut shown: Vec<_> = shown.map(Command::get_name).collect();
        shown.sort_unstable();
        assert_eq!(listed, shown);
    }
}
