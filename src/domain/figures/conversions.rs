//! Conversions for an advertiser: clicks on ads that became orders.

use crate::clock::Time;
use crate::clock::time_zone::TimeZone;

use super::table::cell;

/// The columns of a file of offline conversions of Google Ads
/// (<https://support.google.com/google-ads/answer/7014069>).
const HEAD: [&str; 5] = [
    "Google Click ID",
    "Conversion Name",
    "Conversion Time",
    "Conversion Value",
    "Conversion Currency",
];

/// What a conversion is, and for what its value is: amounts for a week or a month are never added
/// to those that are paid once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversionKind {
    AcceptedWeekly,
    AcceptedOnce,
    WonMonthly,
    WonOnce,
}

impl ConversionKind {
    /// The name of the conversion action.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AcceptedWeekly => "Offer accepted (a week)",
            Self::AcceptedOnce => "Offer accepted (one-time)",
            Self::WonMonthly => "Request won (a month)",
            Self::WonOnce => "Request won (one-time)",
        }
    }
}

/// A click that became an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The click identifier of the first visit.
    pub click: String,
    pub kind: ConversionKind,
    /// When the offer was accepted, or the outcome was entered.
    pub at: Time,
    /// `None` if no value is known.
    pub cents: Option<i64>,
}

/// The file, with times on the clock of `zone`. It begins with the head: what comes before it is
/// refused by the reader.
///
/// # Errors
/// If the writer fails, which writes into memory.
pub fn to_csv(conversions: &[Conversion], zone: &TimeZone) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(HEAD)?;
    for conversion in conversions {
        let value = conversion.cents.map(|cents| cell("value_cents", cents));
        let currency = if value.is_some() { "USD" } else { "" };
        csv.write_record([
            conversion.click.as_str(),
            conversion.kind.name(),
            &zone.with_offset(conversion.at),
            value.as_deref().unwrap_or_default(),
            currency,
        ])?;
    }
    csv.into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}
