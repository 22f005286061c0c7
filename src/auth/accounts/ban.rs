//! Bans: parsing and storage. Every path that opens or uses a session checks for a ban.

use crate::Transaction;
use crate::audit::Actor;
use crate::error::{AuthError, Result, reject};
use store::accounts;

/// The longest ban: 100 years.
const LONGEST_BAN_SECONDS: i64 = 100 * 365 * 86_400;

/// A requested ban.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ban {
    /// Lift the ban.
    None,
    /// Ban for this many seconds from now.
    Seconds(i64),
}

impl Ban {
    /// Parses `none`, or a duration like `24h`, `90m`, `1h30m`, `10.5s`. Errors:
    /// `validation_failed` for anything else.
    pub fn parse(text: &str) -> Result<Self> {
        if text == "none" {
            return Ok(Self::None);
        }
        match seconds(text) {
            Some(seconds) => Ok(Self::Seconds(seconds.min(LONGEST_BAN_SECONDS))),
            None => reject(AuthError::validation(
                "ban_duration is `none` or a duration like 24h or 1h30m",
            )),
        }
    }

    /// Whether the ban locks the user out.
    pub(crate) const fn is_effective(self) -> bool {
        matches!(self, Self::Seconds(1..))
    }

    /// Writes the ban with its audit row.
    pub(crate) fn set(self, tx: &Transaction<'_>, actor: Actor<'_>, id: &str) -> Result<()> {
        let Transaction { conn, now, .. } = *tx;
        let (until, action) = match self {
            Self::None => (None, "user_unbanned"),
            Self::Seconds(seconds) => (Some(now.plus_seconds(seconds)), "user_banned"),
        };
        accounts::set_ban(conn, id, until, now)?;
        tx.record(action, actor, Some(id), &[])
    }
}

/// Parses a duration in the client's notation: a sequence of numbers with units.
fn seconds(text: &str) -> Option<i64> {
    let mut total = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let number: f64 = rest[..digits].parse().ok()?;
        let unit_end = rest[digits..]
            .find(|c: char| c.is_ascii_digit())
            .map_or(rest.len(), |at| digits + at);
        total += number
            * match &rest[digits..unit_end] {
                "h" => 3600.0,
                "m" => 60.0,
                "s" => 1.0,
                "ms" => 0.001,
                _ => return None,
            };
        rest = &rest[unit_end..];
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float's cast saturates, and the caller has a limit"
    )]
    (!text.is_empty()).then_some(total as i64)
}

#[cfg(test)]
mod tests {
    use super::Ban;

    #[test]
    fn bans_are_read_in_the_clients_notation() {
        for (text, ban) in [
            ("none", Some(Ban::None)),
            ("24h", Some(Ban::Seconds(86_400))),
            ("90m", Some(Ban::Seconds(5_400))),
            ("1h30m10s", Some(Ban::Seconds(5_410))),
            ("1.5h", Some(Ban::Seconds(5_400))),
            ("", None),
            ("24", None),
            ("-1h", None),
            ("forever", None),
            ("1d", None),
        ] {
            assert_eq!(Ban::parse(text).ok(), ban, "{text}");
        }
    }
}
