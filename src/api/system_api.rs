//! `GET /api/admin/system`: the server's status for the dashboard.

use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::desk::Admin;
use crate::tags::Tag;
use auth::sign_in::email_tokens::INVITE_SECONDS;
use domain::delivery::DeliveryState;
use http::request::error_responses::AdminResult;
use http::server::system_status::{self, SystemStatus};
use store::database::maintenance::LastRun;
use store::outbox::admin::{OutboxCounts, OutboxRow};

/// Maximum number of listed emails.
const MAX_EMAILS: u32 = 100;

/// The state of the system.
#[derive(Object)]
struct System {
    /// The version of the program.
    version: String,
    /// Problems that need attention, one sentence each; empty if there are none.
    problems: Vec<String>,
    /// Whether the settings name no place for backups: none are made.
    backups_missing: bool,
    /// Lifetime of an invitation, in seconds.
    invitation_seconds: i64,
    /// The last backup, null if none was ever made.
    backup: Option<LastRun>,
    /// The last proof of a backup, null if there was none.
    backup_proof: Option<LastRun>,
    /// The last deletion of old requests, null if there was none.
    retention: Option<LastRun>,
    /// The emails that have not been sent.
    emails: OutboxCounts,
    /// Days until the certificate expires, negative once it has; null without a certificate.
    certificate_days: Option<i64>,
    /// Free bytes on the disk of the data folder.
    disk_free_bytes: Option<i64>,
}

/// Emails that have not been sent.
#[derive(Object)]
struct UndeliveredEmails {
    emails: Vec<OutboxRow>,
}

/// The endpoint.
pub struct SystemApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::AdminApi")]
impl SystemApi {
    /// List the emails that could not be delivered
    ///
    /// Up to a hundred: failed ones, then those whose attempts have failed so far, oldest first.
    #[oai(
        path = "/emails",
        method = "get",
        operation_id = "listUndeliveredEmails"
    )]
    async fn emails(&self, desk: Admin) -> AdminResult<UndeliveredEmails> {
        let emails = desk.store.undelivered_emails(MAX_EMAILS).await?.into_iter();
        let emails = emails.filter(|row| row.state == DeliveryState::Failed || row.error.is_some());
        Ok(Json(UndeliveredEmails {
            emails: emails.collect(),
        }))
    }

    /// State of the system
    ///
    /// The last backups and proofs, unsent emails, the certificate, the disk, and problems that
    /// need attention.
    #[oai(path = "/system", method = "get", operation_id = "getSystem")]
    async fn system(&self, desk: Admin<system_status::System<'_>>) -> AdminResult<System> {
        let status = SystemStatus::read(&desk).await?;
        let problems = status.problems(&desk).await?.into_iter();
        Ok(Json(System {
            version: domain::program::build().text.to_owned(),
            problems: problems.map(|line| line.text).collect(),
            backups_missing: desk.backup.to.is_empty() && !desk.role.is_drill(),
            invitation_seconds: INVITE_SECONDS,
            backup: status.backup,
            backup_proof: status.proof,
            retention: status.retention,
            emails: status.emails,
            certificate_days: status.certificate_days,
            disk_free_bytes: status.disk_free.and_then(|bytes| i64::try_from(bytes).ok()),
        }))
    }
}
