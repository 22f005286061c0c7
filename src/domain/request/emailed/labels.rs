//! Lines with a label: `City: Houston`, `| State | TX |`.

use std::collections::BTreeMap;

use crate::text::one_line;

/// Maximum code points of a value.
const MAX_VALUE: usize = 200;

/// What labels are called, in lower case.
const NAMES: [(&str, &str); 15] = [
    ("first_name", "first name|firstname|given name"),
    ("last_name", "last name|lastname|surname|family name"),
    (
        "name",
        "name|full name|your name|contact|contact name|contact person|customer|\
         customer name",
    ),
    ("email", "email|e-mail|email address|your email"),
    (
        "phone",
        "phone|telephone|tel|mobile|cell|phone number|cell phone|contact number|\
         mobile phone",
    ),
    ("company", "company|company name|business|organization"),
    (
        "service",
        "service|services|service type|service needed|type of service",
    ),
    (
        "location",
        "location|address|site|site address|property address|service address",
    ),
    ("street", "street|street address"),
    ("city", "city|town"),
    ("state", "state"),
    ("zip", "zip|zip code|zipcode|postal code"),
    ("start", "start|start date|date|date needed|when|starting"),
    ("duration", "duration|how long|length of service"),
    ("fax", "fax"),
];

/// The values of the labels of an email, the first of each.
pub(super) struct Labels(BTreeMap<&'static str, String>);

impl Labels {
    pub(super) fn read(text: &str) -> Self {
        let mut found = BTreeMap::new();
        for (field, value) in text.lines().filter_map(labelled) {
            found.entry(field).or_insert(value);
        }
        Self(found)
    }

    /// The value of a field; `None` if no line has its label.
    pub(super) fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }
}

/// The field and the value of a line with a label.
fn labelled(line: &str) -> Option<(&'static str, String)> {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || "*•-|>".contains(c));
    let (label, value) = line.split_once([':', '|', '\t'])?;
    let label = label.trim().trim_end_matches('*').to_lowercase();
    let (field, _) = NAMES
        .iter()
        .find(|(_, names)| names.split('|').any(|name| name == label))?;
    let value = value.trim_matches(|c: char| c.is_whitespace() || "*|".contains(c));
    (!value.is_empty()).then(|| (*field, one_line(value, MAX_VALUE)))
}
