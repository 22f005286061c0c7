//! The outcome and the value of a request.

use poem_openapi::Enum;

crate::text_enum! {
    /// The outcome of a request.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum Outcome {
        /// The customer has signed: has accepted an offer, or so the office says.
        Won = "won",
        /// The customer did not.
        Lost = "lost",
        /// The sender was not a customer: an application, an advertisement, a mistake.
        NotCustomer = "not_customer",
    }
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

/// Words of customers by which a reason is known, in lower case. The first reason with one counts.
const SIGNS: [(&str, &str); 3] = [
    (
        "competitor",
        "another company|another provider|another vendor|different company|\
         different vendor|somebody else|someone else|went with|competitor",
    ),
    (
        "price",
        "price|pricing|expensive|budget|cost|cheaper|too much|too high|afford|rate",
    ),
    (
        "timing",
        "no longer need|not needed|postpone|delayed|too late|next year|on hold|repaired|\
         is fixed",
    ),
];

/// Why an offer was declined, one of `REASONS`, by the customer's words.
pub fn reason_of(words: &str) -> &'static str {
    let words = words.to_lowercase();
    let found = SIGNS
        .iter()
        .find(|(_, signs)| signs.split('|').any(|sign| words.contains(sign)));
    found.map_or("other", |(reason, _)| reason)
}

/// The maximum value, in cents.
const MAX_CENTS: i64 = 10_000_000_000;

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
    use super::{REASONS, parse_cents, reason_of};

    #[test]
    fn a_declined_offer_is_lost_for_the_reason_that_its_customer_gives() {
        for (words, reason) in [
            ("Too expensive for us", "price"),
            ("Your rates are over our BUDGET.", "price"),
            ("We went with another company", "competitor"),
            ("Someone else was cheaper", "competitor"),
            (
                "The alarm is fixed, a fire watch is no longer needed",
                "timing",
            ),
            ("Project on hold", "timing"),
            ("Thank you anyway", "other"),
            ("", "other"),
        ] {
            assert_eq!(reason_of(words), reason, "{words}");
            assert!(REASONS.contains(&reason));
        }
    }

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
