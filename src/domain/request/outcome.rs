//! The outcome and the value of a closed request.

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The customer hired the company.
    Won,
    /// The customer did not.
    Lost,
    /// The sender was not a customer: an application, an advertisement, a mistake.
    NotCustomer,
}

/// Why a request was lost.
pub const REASONS: [&str; 6] = [
    "price",
    "competitor",
    "timing",
    "no_answer",
    "cannot_serve",
    "other",
];

/// The maximum value, in cents.
const MAX_CENTS: i64 = 10_000_000_000;

impl Outcome {
    pub const ALL: [Self; 3] = [Self::Won, Self::Lost, Self::NotCustomer];

    /// Its value in the database and the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::NotCustomer => "not_customer",
        }
    }

    pub fn parse(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == value)
    }
}

/// An amount of dollars as typed, in cents: `1250`, `$1,250.50`. `None` for other texts, or above a
/// hundred million dollars.
pub fn parse_cents(text: &str) -> Option<i64> {
    let text = text.trim().trim_start_matches('$').trim_start();
    let (whole, cents) = text.split_once('.').unwrap_or((text, "00"));
    let groups: Vec<_> = whole.split(',').collect();
    let is_grouped = groups.len() == 1
        || ((1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3));
    let digits = groups.concat();
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_grouped || digits.is_empty() || !are_digits(&digits) || !are_digits(cents) {
        return None;
    }
    let cents = match cents.len() {
        1 => format!("{cents}0"),
        2 => cents.to_owned(),
        _ => return None,
    };
    let cents: i64 = format!("{digits}{cents}").parse().ok()?;
    (cents <= MAX_CENTS).then_some(cents)
}

#[cfg(test)]
mod tests {
    use super::parse_cents;

    #[test]
    fn amounts_are_read_as_people_type_them() {
        for (text, cents) in [
            ("1250", Some(125_000)),
            (" $1,250.50 ", Some(125_050)),
            ("0.5", Some(50)),
            ("0", Some(0)),
            ("12,345,678", Some(1_234_567_800)),
            ("100000000", Some(10_000_000_000)),
            ("100000000.01", None),
            ("1,25", None),
            (",250", None),
            ("12.345", None),
            ("-5", None),
            ("5.", None),
            ("a lot", None),
            ("", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse_cents(text), cents, "{text}");
        }
    }
}
