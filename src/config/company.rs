//! `[company]`: facts shown on pages, in emails and in JSON-LD. A change needs a restart, not a
//! rebuild.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::License;
use domain::clock::Time;
use domain::clock::time_zone::TimeZone;
use domain::email::email_address::is_mailable_everywhere;
use domain::phone::e164;

/// The company facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Company {
    /// The trade name.
    pub name: String,
    /// The legal name, shown in the footer.
    pub legal_name: String,
    /// The phone number as displayed.
    pub phone: String,
    /// The email address shown on pages; sends and receives notices by default.
    pub email: String,
    /// The press contact; empty: `email`.
    pub media_email: String,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// State, two letters.
    pub region: String,
    /// ZIP code.
    pub postal_code: String,
    /// Opening hours as text.
    pub hours: String,
    /// The time zone of the office (IANA), used for times in the dashboard and in emails.
    pub time_zone: String,
    /// Licenses by state code, shown on the state's page and the licensing page (some states
    /// require the number in advertising).
    pub licenses: BTreeMap<String, License>,
}

impl Default for Company {
    fn default() -> Self {
        Self {
            name: "Guardpost Security".into(),
            legal_name: "Guardpost Security Services LLC".into(),
            phone: "(713) 555-0142".into(),
            email: "office@guardpost.example".into(),
            media_email: "media@guardpost.example".into(),
            street: "1200 Enclave Parkway, Suite 100".into(),
            city: "Houston".into(),
            region: "TX".into(),
            postal_code: "77077".into(),
            hours: "Open 24 hours a day, 7 days a week".into(),
            time_zone: "America/Chicago".into(),
            licenses: BTreeMap::new(),
        }
    }
}

impl Company {
    /// The phone number as a `tel:` URL.
    pub fn phone_href(&self) -> String {
        tel_link(&self.phone)
    }

    /// The email address of the press contact.
    pub fn press_email(&self) -> &str {
        match self.media_email.as_str() {
            "" => &self.email,
            address => address,
        }
    }

    /// The day on the clock of the office at `now`. Licenses expire and views and calls are counted
    /// by it.
    pub fn today(&self, now: Time) -> Date {
        let zone = TimeZone::parse(&self.time_zone).unwrap_or(TimeZone::utc());
        zone.local(now).date()
    }

    /// The holder of a license.
    pub fn license_holder<'a>(&'a self, license: &'a License) -> &'a str {
        match license.holder.as_str() {
            "" => &self.legal_name,
            holder => holder,
        }
    }

    /// The postal address on one line.
    pub fn address(&self) -> String {
        format!(
            "{}, {}, {} {}",
            self.street, self.city, self.region, self.postal_code
        )
    }

    pub(super) fn check(&self) -> Result<()> {
        let required = [
            ("name", &self.name),
            ("legal_name", &self.legal_name),
            ("phone", &self.phone),
            ("street", &self.street),
            ("city", &self.city),
            ("region", &self.region),
            ("postal_code", &self.postal_code),
            ("hours", &self.hours),
        ];
        for (key, value) in required {
            if value.trim().is_empty() || value.chars().any(char::is_control) {
                bail!("setting `company.{key}`: one line of text is required");
            }
        }
        if !(10..=15).contains(&self.phone.chars().filter(char::is_ascii_digit).count()) {
            bail!(
                "setting `company.phone`: `{}` is not a phone number of 10 to 15 digits",
                self.phone
            );
        }
        for (key, value) in [
            ("email", self.email.as_str()),
            ("media_email", self.press_email()),
        ] {
            if !is_mailable_everywhere(value) {
                bail!(
                    "setting `company.{key}`: `{value}` is not an address to which email can be \
                     sent, as in office@company.example"
                );
            }
        }
        if TimeZone::parse(&self.time_zone).is_none() {
            bail!(
                "setting `company.time_zone`: `{}` is not a time zone of the IANA database, as \
                 America/Chicago",
                self.time_zone
            );
        }
        for (state, license) in &self.licenses {
            license.check(state)?;
        }
        Ok(())
    }
}

/// A phone number as a `tel:` URL (RFC 3966) in international form, with +1 if it has no country
/// code. The frontend's admin queue has the same function; both are tested with
/// `seeds/forms/phone-links.json`.
pub fn tel_link(phone: &str) -> String {
    match e164(phone) {
        Some(number) => format!("tel:{number}"),
        // Not a complete number of any country: dialed as given.
        None => format!(
            "tel:{}",
            phone
                .chars()
                .filter(char::is_ascii_digit)
                .collect::<String>()
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::tel_link;

    #[test]
    fn every_phone_link_is_in_the_international_form() {
        let cases: BTreeMap<String, String> =
            serde_json::from_str(include_str!("../../seeds/forms/phone-links.json")).unwrap();
        assert!(cases.len() >= 8);
        for (phone, link) in cases {
            assert_eq!(tel_link(&phone), link, "{phone}");
        }
    }
}
