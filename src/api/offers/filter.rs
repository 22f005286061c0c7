//! Reads the filters of the list of offers from a query string.

use serde_json::Value;

use crate::filter_params::{Day, FilterParams, User, days, enum_parameters, parameters};
use domain::clock::time_zone::TimeZone;
use domain::text::clean;
use http::request::problem::Problem;
use store::offers::{OfferQuery, OfferView};

enum_parameters!(OfferView, OfferTime);

domain::text_enum! {
    /// What the value of an offer is for.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum OfferTime {
        Week = "week",
        Term = "term",
    }
}

parameters! {
    /// The parameters that select offers.
    struct OfferParams {
        /// `draft`, `waiting`, `expiring`, `accepted`, `unconfirmed`, `declined`, `expired` or
        /// `withdrawn`; all without it. `expiring` are those that wait and end within a week,
        /// `unconfirmed` those that the customer has accepted and nobody has confirmed.
        view: OfferView,
        /// Words of the number, the customer or the place: offers with these only.
        q: String,
        /// Only offers whose first version was sent on this day or later, `YYYY-MM-DD` in the
        /// company's time zone.
        from: Day,
        /// Only offers whose first version was sent on this day or earlier.
        to: Day,
        /// The user id of who has sent the first version, or `me`.
        sent_by: User,
        /// Whether the customer has opened the offer.
        opened: bool,
        /// `week` for offers that run on, `term` for those with an end.
        value: OfferTime,
    }
}

/// The offers that the parameters select, after the first `skip`, seen by the user `me`. Errors:
/// 400 that names the parameter.
pub(super) fn query(
    params: &FilterParams,
    skip: u32,
    zone: &TimeZone,
    me: &str,
) -> Result<OfferQuery, Problem> {
    let params = OfferParams::read(params)?;
    let (since, until) = days(zone, params.from, params.to)?;
    Ok(OfferQuery {
        view: params.view,
        search: clean(&params.q.unwrap_or_default(), false),
        since,
        until,
        sent_by: params.sent_by.map(|user| user.id(me)),
        opened: params.opened,
        is_weekly: params.value.map(|value| value == OfferTime::Week),
        skip,
    })
}

/// Adds the parameters to the list of the API description.
pub fn describe(spec: &mut Value) {
    OfferParams::describe(spec, "/api/admin/offers");
}
