//! Makes the document of a version: the draft, priced by the published rates, with the facts of the
//! company and the customer.

use jiff::civil::Date;

use super::errors;
use super::parts::Offers;
use crate::desk::Desk;
use config::{Company, License as StoredLicense};
use domain::clock::Time;
use domain::clock::time_zone::TimeZone;
use domain::offer::document::{self, Customer, Document, Letterhead, License};
use domain::offer::faults::Fault;
use domain::request::Request;
use domain::us_state;
use http::request::problem::Problem;
use store::offers::rates::PublishedRates;
use store::offers::{NewVersion, Offer};

/// The document of the next version of an offer. Errors: 422 that names each field that is wrong;
/// 409 if the request was deleted.
pub(super) fn document(
    desk: &Desk<Offers<'_>>,
    offer: &Offer,
    published: &PublishedRates,
) -> Result<Document, Problem> {
    let site = desk.publisher.site();
    let maker = OfferMaker {
        company: &site.company,
        website: &desk.server.origin(),
        today: site.company.today(desk.now),
    };
    let made = maker.document(offer, errors::request_of(offer)?, published);
    made.map_err(errors::problem)
}

/// Who makes an offer, and when.
#[derive(Clone, Copy, Debug)]
pub struct OfferMaker<'a> {
    pub company: &'a Company,
    /// The address of the website.
    pub website: &'a str,
    /// In the company's time zone.
    pub today: Date,
}

impl OfferMaker<'_> {
    /// The document of the next version of an offer. Errors: each field that is wrong.
    pub fn document(
        &self,
        offer: &Offer,
        request: &Request,
        published: &PublishedRates,
    ) -> Result<Document, Vec<Fault>> {
        let (draft, rates) = (&offer.draft, &published.rates);
        let price = draft.priced(&rates.card, self.today)?;
        let message = draft.message.trim();
        let equipment = rates.card.equipment.iter();
        Ok(Document {
            number: offer.number.clone(),
            version: offer.version + 1,
            reference: request.reference.clone(),
            sent_on: self.today,
            valid_until: draft.valid_until.0,
            company: self.letterhead(),
            licenses: self.licenses(offer),
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
            class_titles: rates.card.class_titles(),
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

    fn letterhead(&self) -> Letterhead {
        let company = self.company;
        Letterhead {
            name: company.name.clone(),
            legal_name: company.legal_name.clone(),
            phone: company.phone.clone(),
            email: company.email.clone(),
            street: company.street.clone(),
            city: company.city.clone(),
            region: company.region.clone(),
            postal_code: company.postal_code.clone(),
            website: self.website.to_owned(),
        }
    }

    /// The valid licenses of the states of the posts.
    fn licenses(&self, offer: &Offer) -> Vec<License> {
        let company = self.company;
        let posts = offer.draft.terms.posts.iter();
        let states: std::collections::BTreeSet<&str> =
            posts.map(|post| post.state.as_str()).collect();
        let shown = |code: &str, license: &StoredLicense| License {
            state: us_state::title(code).unwrap_or_else(|| code.to_owned()),
            number: license.number.clone(),
            holder: company.license_holder(license).to_owned(),
            expires: license
                .expires
                .map(|day| day.to_string())
                .unwrap_or_default(),
        };
        let licenses = states.into_iter().filter_map(|code| {
            let license = company.licenses.get(code)?;
            (!license.has_expired(self.today)).then(|| shown(code, license))
        });
        licenses.collect()
    }
}

/// The version after `after` of an offer, of the draft with this revision, with the files of its
/// document. It takes a moment: call it on a blocking thread. Errors: a file cannot be made.
pub fn version(
    document: &Document,
    revision: i64,
    after: u32,
    zone: &TimeZone,
    now: Time,
) -> Result<NewVersion, String> {
    let json = document::to_json(document).map_err(|error| error.to_string())?;
    let text = document::text(document).into_bytes();
    let pdf = document::pdf(document).map_err(|error| error.to_string())?;
    let valid_until = document.valid_until.to_string();
    Ok(NewVersion {
        number: document.number.clone(),
        revision,
        after,
        digests: [&json, &text, &pdf].map(|bytes| document::digest(bytes)),
        json,
        text,
        pdf,
        recipient: document.customer.email.clone(),
        total_cents: document.price.total,
        is_weekly: document.terms.end.is_none(),
        expires_at: zone.end_of_day(&valid_until).unwrap_or(now),
        valid_until,
    })
}
