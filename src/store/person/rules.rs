//! `RULES` defines for every table how an erasure treats the rows about a person; a test fails if a
//! table has no rule.

/// What an erasure does to the rows of a table.
pub(super) enum Rule {
    /// Deletes the rows for which the condition holds. An export contains them.
    Delete(&'static str),
    /// As `Delete`, but for the rows for which the second condition holds: they are kept by law,
    /// and an export contains them too.
    DeleteUnless(&'static str, &'static str),
}

use Rule::{Delete, DeleteUnless};

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

/// Rows of the person's requests, and of their quotes.
const OF_REQUEST: &str = "seq IN (SELECT value FROM json_each(:seqs))";
const OF_QUOTE: &str = "quote_id IN (SELECT value FROM json_each(:ids))";

/// The rule of each table with rows about visitors. Conditions may name `:email` (lower case),
/// `:mailboxes` (JSON array of the addresses of their requests as limits count them), `:until` (a
/// time), `:ids` (JSON array of the ids of the person's requests) and `:seqs` (of their `seq`).
pub(super) const RULES: &[(&str, Rule)] = &[
    (
        "old_request_ids",
        Delete("id IN (SELECT value FROM json_each(:ids))"),
    ),
    ("requests", Delete(OF_REQUEST)),
    ("events", Delete(OF_REQUEST)),
    (
        "request_drafts",
        // The draft of a request by phone has no `seq` yet.
        Delete(
            "seq IN (SELECT value FROM json_each(:seqs)) OR (seq = 0 \
             AND instr(lower(fields), :email) > 0)",
        ),
    ),
    ("removed_files", Delete(OF_QUOTE)),
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
    ("quote_uploads", Delete(OF_QUOTE)),
    ("resumable_uploads", Delete(OF_QUOTE)),
    (
        "alarm_messages",
        Delete(
            "alarm IN (SELECT id FROM alarms WHERE seq IN (SELECT value FROM json_each(:seqs)))",
        ),
    ),
    ("alarms", Delete(OF_REQUEST)),
    ("webhook_deliveries", Delete(OF_REQUEST)),
    ("webhook_events", Delete(OF_REQUEST)),
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
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::RULES;
    use crate::Store;
    use crate::database::copies::snapshot;

    /// Rows about accounts, which `delete-user` removes.
    const OF_ACCOUNTS: &str = "\
        challenges factors flows identities inbox_filters known_clients one_time_tokens \
        on_call_phones push_devices recovery_codes rota_overrides rota_shifts refreshes \
        reply_templates sessions user_roles users";
    /// No data about a visitor.
    const OTHERS: &str = "\
        rate_draft rate_versions audit buckets content_drafts content_pages \
        content_pictures content_schedule content_versions decoy_user decoys escalations \
        installation key_files campaign_views figures_kept figures_time_zone forms_begun \
        page_views license_warnings backup_places email_tries mailbox_positions \
        mailbox_states mailbox_tries maintenance reference_key rota webhook_endpoints \
        released_contents scan_tries spent storage_buckets taps upload_bytes \
        phone_callbacks write_probe";

    #[tokio::test]
    async fn every_table_has_a_rule_for_the_erasure_of_a_person() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let stored = store.read(snapshot::tables).await.unwrap();
        let stored: BTreeSet<_> = stored.into_iter().collect();
        let without_rows = OF_ACCOUNTS.split(' ').chain(OTHERS.split(' '));
        let ruled = RULES.iter().map(|(table, _)| *table).chain(without_rows);
        let ruled: BTreeSet<_> = ruled.map(str::to_owned).collect();
        let without: Vec<_> = stored.difference(&ruled).collect();
        assert!(
            without.is_empty(),
            "add {without:?} to `RULES`, or to a list here"
        );
        let gone: Vec<_> = ruled.difference(&stored).collect();
        assert!(gone.is_empty(), "no such table: {gone:?}");
    }
}
