//! The fields of a delivery status (RFC 3464, section 2).

use domain::email::received_email::FailedRecipient;
use domain::text::one_line;

/// Recipients that are read.
pub(super) const MAX_RECIPIENTS: usize = 20;
/// Maximum code points of a reason.
pub(super) const MAX_REASON: usize = 500;

/// The failed recipients of a delivery status: groups of fields, separated by empty lines. `None`
/// if it says of every recipient that none failed; empty if it says nothing.
pub(super) fn failures(status: &str) -> Option<Vec<FailedRecipient>> {
    let lines: Vec<&str> = status.lines().map(str::trim_end).collect();
    let status = lines.join("\n").replace("\n ", " ").replace("\n\t", " ");
    let groups: Vec<Group<'_>> = status.split("\n\n").map(Group).collect();
    let failures = groups.iter().filter_map(Group::failure);
    let failures: Vec<_> = failures.take(MAX_RECIPIENTS).collect();
    let is_judged = groups.iter().any(|group| group.field("action").is_some());
    (!failures.is_empty() || !is_judged).then_some(failures)
}

/// The fields of a recipient.
struct Group<'a>(&'a str);

impl Group<'_> {
    fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.0.lines().filter_map(|line| line.split_once(':'));
        let found = fields.find(|(field, _)| field.trim().eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    }

    /// The value after its type, as in `rfc822; customer@property.example` and `smtp; 550 No such
    /// user`.
    fn value(&self, name: &str) -> Option<&str> {
        let text = self.field(name)?;
        Some(text.split_once(';').map_or(text, |(_, value)| value).trim())
    }

    fn failure(&self) -> Option<FailedRecipient> {
        let recipient = self
            .value("original-recipient")
            .or_else(|| self.value("final-recipient"));
        let action = self.field("action").unwrap_or_default();
        // Some servers write more than the word: `failed (bad address)`.
        let mut words = action.split(|c: char| !c.is_ascii_alphabetic());
        let word = words.next().unwrap_or_default();
        let address = recipient.filter(|_| word.eq_ignore_ascii_case("failed"))?;
        let reason = match self.value("diagnostic-code").unwrap_or_default() {
            "" => {
                let code = self.field("status").unwrap_or_default();
                format!("returned by the mail server ({code})")
            }
            reason => reason.to_owned(),
        };
        Some(FailedRecipient {
            address: address.trim_matches(['<', '>']).to_ascii_lowercase(),
            reason: one_line(&reason, MAX_REASON),
        })
    }
}
