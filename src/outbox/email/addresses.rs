//! Parses and compares the addresses of the settings.

use anyhow::Context;
use lettre::message::Mailbox;

/// Parses `mail.to`, without duplicates.
pub(super) fn parse_staff(addresses: &[String]) -> anyhow::Result<Vec<Mailbox>> {
    let mut staff: Vec<Mailbox> = Vec::new();
    for text in addresses {
        let mailbox: Mailbox = text.parse().context("setting `mail.to`")?;
        let email = mailbox.email.as_ref();
        if !staff
            .iter()
            .any(|known| same_address(known.email.as_ref(), email))
        {
            staff.push(mailbox);
        }
    }
    Ok(staff)
}

/// Compares addresses without case: mail servers in use ignore it.
pub(super) fn same_address(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}
