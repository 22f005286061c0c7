//! Settings that have gone: a file that sets them starts with a warning.

use toml::{Table, Value};

/// Settings whose values are constants now, or which another one replaces.
const GONE: &str = "\
    desk.held_days server.max_connections server.head_seconds server.idle_seconds \
    server.body_seconds limits.connections_per_client limits.body_budget_mib \
    limits.body_budget_per_client_mib auth.access_token_seconds auth.refresh_reuse_seconds \
    auth.password_characters auth.link_seconds auth.invite_seconds auth.argon2_memory_kib \
    auth.argon2_iterations auth.hashes_at_once auth.hashes_waiting mail.max_attempts \
    mail.inbound.poll_seconds mail.inbound.max_mb files.grant_seconds \
    files.upload_url_seconds files.resumable_seconds files.silence_seconds backup.keep_hours \
    backup.keep_days backup.keep_weeks backup.keep_months retention.sent_days \
    alarms.again_minutes alarms.gap_days alarms.calls_per_person alarms.texts_per_person \
    alarms.calls_per_day alarms.texts_per_day webhooks.off_after_days webhooks.log_days";

/// The section with this name, as in `mail.inbound`.
pub(super) fn section_in<'a>(table: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    let mut names = name.split('.');
    names.try_fold(table, |table, name| table.get_mut(name)?.as_table_mut())
}

/// Takes out what has gone; returns the names.
pub(super) fn remove_gone(table: &mut Table) -> Vec<String> {
    let mut gone = Vec::new();
    for name in GONE.split(' ') {
        let (section, key) = name.rsplit_once('.').unwrap_or_default();
        if section_in(table, section).is_some_and(|section| section.remove(key).is_some()) {
            gone.push(name.to_owned());
        }
    }
    if table
        .get("webhooks")
        .and_then(Value::as_table)
        .is_some_and(Table::is_empty)
    {
        table.remove("webhooks");
    }
    gone
}
