//! The types of what a version of an offer shows.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::offer::price::Price;
pub use crate::offer::rates::{Consent, Paragraph};
use crate::offer::terms::Terms;

/// A version of an offer: everything that its page, its text and its PDF show.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The reference of the request and the ordinal of the offer, as `GP-2K7Q-1`.
    pub number: String,
    /// From 1.
    pub version: u32,
    /// The reference of the request, as `GP-2K7Q`.
    pub reference: String,
    /// In the time zone of the company.
    pub sent_on: Date,
    /// The last day on which it can be accepted.
    pub valid_until: Date,
    pub company: Letterhead,
    /// Of the states of the posts.
    pub licenses: Vec<License>,
    /// One line; may be empty.
    pub insurance: String,
    pub customer: Customer,
    /// The office's words to the customer.
    pub message: Option<String>,
    pub terms: Terms,
    /// The titles of the rate card, by key.
    pub class_titles: BTreeMap<String, String>,
    pub equipment_titles: BTreeMap<String, String>,
    pub price: Price,
    /// The published version of rates and conditions; 0 is what Guardpost ships.
    pub rates_version: u32,
    /// Whether rates and conditions are the shipped samples, which the office has not confirmed.
    pub is_sample: bool,
    pub conditions: Vec<Paragraph>,
    pub consent: Consent,
}

/// Who makes the offer; what is not set is empty.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Letterhead {
    pub name: String,
    pub legal_name: String,
    pub phone: String,
    pub email: String,
    pub street: String,
    pub city: String,
    /// State, two letters.
    pub region: String,
    pub postal_code: String,
    /// The address of the website.
    pub website: String,
}

/// A license of the company in a state.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct License {
    /// The name of the state.
    pub state: String,
    pub number: String,
    pub holder: String,
    /// The last day, as `2027-01-31`; may be empty.
    pub expires: String,
}

/// Who is offered the service, as the request says it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Customer {
    pub name: String,
    pub company: Option<String>,
    pub email: String,
    pub phone: String,
    pub location: String,
}

/// The digests of the bytes of a version: SHA-256 in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Digests {
    pub json: String,
    pub text: String,
    pub pdf: String,
}

/// The SHA-256 of bytes in lower-case hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// A value as JSON without white space, its keys in order: the same value has the same bytes. They
/// are those of RFC 8785, since numbers are whole (amounts are cents), and keys have no characters
/// beyond U+FFFF.
///
/// # Errors
/// If the value cannot be written as JSON.
pub fn canonical(value: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&serde_json::to_value(value)?)
}

/// The canonical JSON of a document.
///
/// # Errors
/// If the document cannot be written as JSON.
pub fn to_json(document: &Document) -> Result<Vec<u8>, serde_json::Error> {
    canonical(document)
}

/// The document of stored JSON.
///
/// # Errors
/// If the bytes are not a document.
pub fn from_json(bytes: &[u8]) -> Result<Document, serde_json::Error> {
    serde_json::from_slice(bytes)
}
