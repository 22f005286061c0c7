//! Makes the document of a version: the draft, priced by the published rates, with the facts of the
//! company and the customer.

use jiff::civil::Date;

use super::{errors, faults};
use crate::AppState;
use crate::request::problem::Problem;
use config::License as StoredLicense;
use domain::offer::check::priced;
use domain::offer::document::{Customer, Document, Letterhead, License};
use domain::us_state;
use store::offers::Offer;
use store::offers::rates::PublishedRates;

/// Today in the company's time zone.
pub(super) fn today(app: &AppState) -> Date {
    app.time_zone.local(app.clock.now()).date()
}

/// The document of the next version of an offer. Errors: 422 that names each field that is wrong;
/// 409 if the request was deleted.
pub(super) fn document(
    app: &AppState,
    offer: &Offer,
    published: &PublishedRates,
) -> Result<Document, Problem> {
    let (draft, rates) = (&offer.draft, &published.rates);
    let today = today(app);
    let mut wrong = draft.faults(today);
    let price = match priced(&rates.card, &draft.terms, today) {
        Ok(price) => Some(price),
        Err(faults) => {
            wrong.extend(faults);
            None
        }
    };
    let Some(price) = price.filter(|_| wrong.is_empty()) else {
        return Err(faults::problem(wrong));
    };
    let request = errors::request_of(offer)?;
    let message = draft.message.trim();
    let titles = rates.card.classes.iter();
    let equipment = rates.card.equipment.iter();
    Ok(Document {
        number: offer.number.clone(),
        version: offer.version + 1,
        reference: request.reference.clone(),
        sent_on: today,
        valid_until: draft.valid_until,
        company: letterhead(app),
        licenses: licenses(app, offer, today),
        insurance: rates.insurance.clone(),
        customer: Customer {
            name: request.full_name(),
            company: request.company.clone(),
            email: request.email.clone(),
            phone: request.phone.clone(),
            location: request.location.clone().unwrap_or_default(),
        },
        message: Some(message.to_owned()).filter(|text| !text.is_empty()),
        terms: draft.terms.clone(),
        class_titles: titles
            .map(|(key, class)| (key.clone(), class.title.clone()))
            .collect(),
        equipment_titles: equipment
            .map(|(key, equipment)| (key.clone(), equipment.title.clone()))
            .collect(),
        price,
        rates_version: u32::try_from(published.version).unwrap_or(u32::MAX),
        is_sample: published.version == 0,
        conditions: rates.conditions.clone(),
        consent: rates.consent.clone(),
    })
}

fn letterhead(app: &AppState) -> Letterhead {
    let site = app.site();
    let company = &site.company;
    Letterhead {
        name: company.name.clone(),
        legal_name: company.legal_name.clone(),
        phone: company.phone.clone(),
        email: company.email.clone(),
        street: company.street.clone(),
        city: company.city.clone(),
        region: company.region.clone(),
        postal_code: company.postal_code.clone(),
        website: app.server.origin().into_owned(),
    }
}

/// The valid licenses of the states of the posts.
fn licenses(app: &AppState, offer: &Offer, today: Date) -> Vec<License> {
    let site = app.site();
    let company = &site.company;
    let posts = offer.draft.terms.posts.iter();
    let states: std::collections::BTreeSet<&str> = posts.map(|post| post.state.as_str()).collect();
    let shown = |code: &str, license: &StoredLicense| {
        let mut names = us_state::states();
        let name = names.find(|(known, _)| *known == code);
        License {
            state: name.map_or(code, |(_, name)| name).to_owned(),
            number: license.number.clone(),
            holder: company.license_holder(license).to_owned(),
            expires: license
                .expires
                .map(|day| day.to_string())
                .unwrap_or_default(),
        }
    };
    let licenses = states.into_iter().filter_map(|code| {
        let license = company.licenses.get(code)?;
        let is_valid = !license.has_expired(&today.to_string());
        is_valid.then(|| shown(code, license))
    });
    licenses.collect()
}
