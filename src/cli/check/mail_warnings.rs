//! Warnings about the settings of emails.

use config::{Mail, SmtpSecurity, is_loopback};
use inbound_mail::UNVERIFIED;
use site::unfinished;

/// One sentence for each setting that works and that an operator should look at.
pub(super) fn mail_warnings(mail: &Mail) -> Vec<String> {
    let mut warnings = Vec::new();
    if mail.smtp_host.is_empty() {
        warnings.push(
            "mail.smtp_host: not set; emails are only written to the folder mail/ in the data \
             folder"
                .into(),
        );
    } else if mail.smtp_security == SmtpSecurity::None && !is_loopback(&mail.smtp_host) {
        warnings.push(format!(
            "mail.smtp_security: emails to {} are sent in clear text",
            mail.smtp_host
        ));
    }
    let inbound = &mail.inbound;
    let is_received = !inbound.host.is_empty() || !inbound.address.is_empty();
    if is_received && inbound.authserv_id.is_empty() {
        warnings.push(format!("no customer's email can be verified: {UNVERIFIED}"));
    }
    for address in mail.to.iter().chain([&mail.from]) {
        if unfinished::is_example(address) {
            warnings.push(format!(
                "mail.to, mail.from: `{address}` is in a domain reserved for examples"
            ));
        }
    }
    warnings
}
