//! The recipients of emails: the addresses of the staff, each with its own notice.

use lettre::message::Mailbox;

use super::{EmailRenderer, RenderError, same_address};
use domain::email::email_address::is_mailable;
use domain::email::notice::Notice;
use store::outbox::delivery::ClaimedEmail;

impl EmailRenderer {
    /// Splits a notice to the staff into one notice per address, so that they are delivered and
    /// retried independently, and the acknowledgement to the visitor. Empty if the row has a
    /// recipient already.
    pub fn split_recipients(&self, row: &ClaimedEmail) -> Vec<Notice> {
        let Some(notice) = &row.notice else {
            return Vec::new();
        };
        let staff = self
            .staff
            .iter()
            .filter_map(|mailbox| notice.for_recipient(mailbox.email.as_ref()));
        let acknowledgement = notice.acknowledgement().filter(|_| self.acknowledges);
        staff.chain(acknowledgement).collect()
    }

    /// The staff mailbox with this address; the first (and only) one if no address is given.
    pub(super) fn staff_mailbox(&self, address: Option<&str>) -> Result<Mailbox, RenderError> {
        // An address that could never be sent to was corrected since.
        let address = address.filter(|address| is_mailable(address));
        let matches = |mailbox: &&Mailbox| {
            address.is_none_or(|address| same_address(mailbox.email.as_ref(), address))
        };
        let mailbox = self.staff.iter().find(matches).cloned();
        mailbox.ok_or(RenderError::Permanent(
            "its recipient is no longer one of `mail.to`",
        ))
    }
}
