//! `RULES` defines for every table how an erasure treats the rows about a person; a test fails if a
//! table has no rule.

/// What an erasure does to the rows of a table.
pub(super) enum Rule {
    /// Deletes the rows for which the condition holds. An export contains them.
    Delete(&'static str),
    /// As `Delete`, but for the rows for which the second condition holds: they are kept by law,
    /// and an export contains them too.
    DeleteUnless(&'static str, &'static str),
    /// Nothing: rows about accounts, which `delete-user` removes.
    Account,
    /// Nothing: no data about a visitor.
    None,
}

use Rule::{Account, Delete, DeleteUnless, None as Nothing};

/// Emails about a request or to the person: the row names one of them.
pub(super) const EMAILS: &str = "subject_id IN (SELECT value FROM json_each(:ids))
    OR (created_at <= :until AND (subject_id = :email COLLATE NOCASE
      OR instr(lower(notice), :email) > 0 OR instr(lower(coalesce(last_error, '')), :email) > 0))";

/// Offers to the person. An offer that was accepted is an agreement: it is kept when its request is
/// deleted, and found by the address that it was sent to.
pub(super) const THEIR_OFFERS: &str = "number IN (
    SELECT number FROM offers WHERE seq IN (SELECT value FROM json_each(:seqs))
    UNION SELECT number FROM offer_states WHERE recipient = :email COLLATE NOCASE)";

/// The rows of versions that were accepted.
const ACCEPTED: &str = "(number, version) IN (SELECT number, version FROM offer_acceptances)";

/// The rule of each table. Conditions may name `:email` (lower case), `:mailboxes` (JSON array of
/// the addresses of their requests as limits count them), `:until` (a time), `:ids` (JSON array of
/// the ids of the person's requests) and `:seqs` (of their `seq`).
pub(super) const RULES: &[(&str, Rule)] = &[
    (
        "old_request_ids",
        Delete("id IN (SELECT value FROM json_each(:ids))"),
    ),
    (
        "requests",
        Delete("seq IN (SELECT value FROM json_each(:seqs))"),
    ),
    (
        "events",
        Delete("seq IN (SELECT value FROM json_each(:seqs))"),
    ),
    (
        "request_drafts",
        // The draft of a request by phone has no `seq` yet.
        Delete(
            "seq IN (SELECT value FROM json_each(:seqs)) OR (seq = 0 \
             AND instr(lower(fields), :email) > 0)",
        ),
    ),
    (
        "removed_files",
        Delete("quote_id IN (SELECT value FROM json_each(:ids))"),
    ),
    ("outbox", Delete(EMAILS)),
    // Mail servers repeat an address in their answers.
    (
        "mail_outage",
        Delete("since <= :until AND instr(lower(error), :email) > 0"),
    ),
    (
        "acknowledged",
        Delete("address IN (SELECT value FROM json_each(:mailboxes))"),
    ),
    (
        "submissions",
        Delete("subject_id IN (SELECT value FROM json_each(:ids))"),
    ),
    (
        "objects",
        Delete(
            "bucket_id IN ('quotes', 'mail') AND substr(name, 1, instr(name, '/') - 1) IN (
             SELECT value FROM json_each(:ids)
             UNION ALL SELECT id FROM received_emails
               WHERE seq IN (SELECT value FROM json_each(:seqs))
                 OR received_at <= :until AND sender = :email)",
        ),
    ),
    (
        "received_emails",
        // After their files.
        Delete(
            "seq IN (SELECT value FROM json_each(:seqs)) OR (received_at <= :until \
             AND sender = :email)",
        ),
    ),
    (
        "quote_uploads",
        Delete("quote_id IN (SELECT value FROM json_each(:ids))"),
    ),
    (
        "resumable_uploads",
        Delete("quote_id IN (SELECT value FROM json_each(:ids))"),
    ),
    (
        "alarm_messages",
        Delete(
            "alarm IN (SELECT id FROM alarms WHERE seq IN (SELECT value FROM json_each(:seqs)))",
        ),
    ),
    (
        "alarms",
        Delete("seq IN (SELECT value FROM json_each(:seqs))"),
    ),
    (
        "webhook_deliveries",
        Delete("seq IN (SELECT value FROM json_each(:seqs))"),
    ),
    (
        "webhook_events",
        Delete("seq IN (SELECT value FROM json_each(:seqs))"),
    ),
    ("offer_codes", Delete(THEIR_OFFERS)),
    ("offer_acceptances", DeleteUnless(THEIR_OFFERS, "TRUE")),
    ("offer_versions", DeleteUnless(THEIR_OFFERS, ACCEPTED)),
    // Others are found by `seq` or by the rows that are deleted here, so they come first.
    (
        "offers",
        DeleteUnless(
            THEIR_OFFERS,
            "number IN (SELECT number FROM offer_acceptances)",
        ),
    ),
    (
        "offer_states",
        DeleteUnless(
            "recipient = :email COLLATE NOCASE OR number NOT IN (SELECT number FROM offers)
               OR number IN (SELECT number FROM offers
                 WHERE seq IN (SELECT value FROM json_each(:seqs)))",
            ACCEPTED,
        ),
    ),
    ("rate_draft", Nothing),
    ("rate_versions", Nothing),
    ("audit", Nothing),
    ("buckets", Nothing),
    ("content_drafts", Nothing),
    ("content_pages", Nothing),
    ("content_pictures", Nothing),
    ("content_schedule", Nothing),
    ("content_versions", Nothing),
    ("decoy_user", Nothing),
    ("decoys", Nothing),
    ("escalations", Nothing),
    ("installation", Nothing),
    ("key_files", Nothing),
    ("campaign_views", Nothing),
    ("figures_kept", Nothing),
    ("figures_time_zone", Nothing),
    ("forms_begun", Nothing),
    ("page_views", Nothing),
    ("license_warnings", Nothing),
    ("backup_places", Nothing),
    ("email_tries", Nothing),
    ("mailbox_positions", Nothing),
    ("mailbox_states", Nothing),
    ("mailbox_tries", Nothing),
    ("maintenance", Nothing),
    ("reference_key", Nothing),
    ("rota", Nothing),
    ("webhook_endpoints", Nothing),
    ("released_contents", Nothing),
    ("scan_tries", Nothing),
    ("spent", Nothing),
    ("storage_buckets", Nothing),
    ("taps", Nothing),
    ("upload_bytes", Nothing),
    ("phone_callbacks", Nothing),
    ("write_probe", Nothing),
    ("challenges", Account),
    ("factors", Account),
    ("flows", Account),
    ("identities", Account),
    ("inbox_filters", Account),
    ("known_clients", Account),
    ("one_time_tokens", Account),
    ("on_call_phones", Account),
    ("push_devices", Account),
    ("recovery_codes", Account),
    ("rota_overrides", Account),
    ("rota_shifts", Account),
    ("refreshes", Account),
    ("reply_templates", Account),
    ("sessions", Account),
    ("user_roles", Account),
    ("users", Account),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::RULES;
    use crate::Store;
    use crate::database::copies::snapshot;

    #[tokio::test]
    async fn every_table_has_a_rule_for_the_erasure_of_a_person() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let stored = store.read(snapshot::tables).await.unwrap();
        let stored: BTreeSet<_> = stored.into_iter().collect();
        let ruled: BTreeSet<_> = RULES.iter().map(|(table, _)| (*table).to_owned()).collect();
        let without: Vec<_> = stored.difference(&ruled).collect();
        assert!(without.is_empty(), "add {without:?} to `RULES`");
        let gone: Vec<_> = ruled.difference(&stored).collect();
        assert!(gone.is_empty(), "no such table: {gone:?}");
    }
}
