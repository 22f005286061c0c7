//! Settings that have gone.

use toml::{Table, Value};

/// Settings that have gone, by section: their values are constants now, or there is another one. A
/// file that sets them starts with a warning.
const GONE: [(&str, &str); 11] = [
    ("desk", "held_days"),
    (
        "server",
        "max_connections head_seconds idle_seconds body_seconds",
    ),
    (
        "limits",
        "connections_per_client body_budget_mib body_budget_per_client_mib",
    ),
    (
        "auth",
        "access_token_seconds refresh_reuse_seconds password_characters link_seconds \
         invite_seconds argon2_memory_kib argon2_iterations hashes_at_once \
         hashes_waiting",
    ),
    ("mail", "max_attempts"),
    ("mail.inbound", "poll_seconds max_mb"),
    (
        "files",
        "grant_seconds upload_url_seconds resumable_seconds silence_seconds",
    ),
    ("backup", "keep_hours keep_days keep_weeks keep_months"),
    ("retention", "sent_days"),
    (
        "alarms",
        "again_minutes gap_days calls_per_person texts_per_person calls_per_day \
         texts_per_day",
    ),
    ("webhooks", "off_after_days log_days"),
];

/// The section with this name, as in `mail.inbound`.
pub(super) fn section_in<'a>(table: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    let mut names = name.split('.');
    names.try_fold(table, |table, name| table.get_mut(name)?.as_table_mut())
}

/// Takes out what has gone; returns the names.
pub(super) fn remove_gone(table: &mut Table) -> Vec<String> {
    let mut gone = Vec::new();
    for (section, keys) in GONE {
        let Some(inner) = section_in(table, section) else {
            continue;
        };
        for key in keys.split(' ') {
            if inner.remove(key).is_some() {
                gone.push(format!("{section}.{key}"));
            }
        }
    }
    // The section has no setting any more.
    if table
        .get("webhooks")
        .and_then(Value::as_table)
        .is_some_and(Table::is_empty)
    {
        table.remove("webhooks");
    }
    gone
}
