//! The list of commands in `guardpost --help`, by what they are about.

use std::fmt::Write;

use clap::Command;

/// The commands that are shown: those of the first day, then the others.
const GROUPS: [(&str, &str); 8] = [
    (
        "The first day",
        "serve create-admin check status backup-key backup",
    ),
    ("Settings and site", "config content seed-demo completions"),
    (
        "Accounts",
        "invite-admin list-users set-role reset-password revoke-sessions disable-factor \
         suspend-user delete-user",
    ),
    ("Requests", "export-quotes export-messages person figures"),
    ("Offers", "offer export-offers"),
    ("Emails", "outbox receive"),
    ("Backups", "list-backups verify-backup restore promote"),
    ("Data", "files export import rotate-keys replace-keys"),
];

/// The definition of all commands, `command`, with this list in its help.
pub(super) fn in_groups(command: Command) -> Command {
    let shown = command.get_subcommands();
    let shown = shown.filter(|command| !command.is_hide_set());
    let mut others: Vec<_> = shown.map(Command::get_name).collect();
    let grouped = GROUPS.iter().flat_map(|(_, names)| names.split(' '));
    others.retain(|name| !grouped.clone().any(|grouped| grouped == *name));
    let others = others.join(" ");
    let others = Some(("Others", others.as_str())).filter(|(_, names)| !names.is_empty());
    let mut list = String::new();
    for (group, names) in GROUPS.into_iter().chain(others) {
        let _ = writeln!(list, "{group}:");
        for name in names.split(' ') {
            let found = command.find_subcommand(name).and_then(Command::get_about);
            let _ = writeln!(list, "  {name:<16} {}", found.cloned().unwrap_or_default());
        }
        list += "\n";
    }
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    ))
}
