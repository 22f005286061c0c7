//! Reads the filters of the list of offers from a query string.

use serde_json::Value;

use crate::filter_params::{self, FilterParams};
use domain::text::clean;
use http::AppState;
use http::request::problem::Problem;
use store::offers::{OfferQuery, OfferView};

/// Name and description of each query parameter that selects offers.
const PARAMETERS: [(&str, &str); 7] = [
    (
        "view",
        "`draft`, `waiting`, `expiring`, `accepted`, `unconfirmed`, `declined`, `expired` or \
         `withdrawn`; all without it. `expiring` are those that wait and end within a week, \
         `unconfirmed` those that the customer has accepted and nobody has confirmed.",
    ),
    (
        "q",
        "Words of the number, the customer or the place: offers with these only.",
    ),
    (
        "from",
        "Only offers whose first version was sent on this day or later, `YYYY-MM-DD` in the \
         company's time zone.",
    ),
    (
        "to",
        "Only offers whose first version was sent on this day or earlier.",
    ),
    (
        "sent_by",
        "The user id of who has sent the first version, or `me`.",
    ),
    ("opened", "Whether the customer has opened the offer."),
    (
        "value",
        "`week` for offers that run on, `term` for those with an end.",
    ),
];

/// The offers that the parameters select, after the first `skip`, seen by the user `me`. Errors:
/// 400 that names the parameter.
pub(super) fn query(
    params: &FilterParams,
    skip: u32,
    app: &AppState,
    me: &str,
) -> Result<OfferQuery, Problem> {
    let views = OfferView::ALL.map(OfferView::as_str).join(", ");
    let views = format!("`view` is one of {views}.");
    let (since, until) = params.days(&app.time_zone)?;
    Ok(OfferQuery {
        view: params.get("view", &views, OfferView::parse)?,
        search: clean(&params.search(), false),
        since,
        until,
        sent_by: params.text("sent_by").map(|id| match id {
            "me" => me.to_owned(),
            id => id.to_owned(),
        }),
        opened: params.flag("opened")?,
        is_weekly: params.get("value", "`value` is week or term.", |text| match text {
            "week" => Some(true),
            "term" => Some(false),
            _ => None,
        })?,
        skip,
    })
}

/// Adds the parameters to the list of the API description.
pub fn describe(spec: &mut Value) {
    filter_params::describe(spec, "/api/admin/offers", &PARAMETERS);
}
