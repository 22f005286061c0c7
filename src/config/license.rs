//! A license of the company in one state: its number alone, or a table with further facts.

use anyhow::{Result, bail};
use jiff::civil::Date;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// A license in one state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct License {
    /// The number, as the authority prints it.
    pub number: String,
    /// The holder; empty: the company's legal name.
    pub holder: String,
    /// The last day on which it is valid; `None`: unlimited or unknown.
    pub expires: Option<Date>,
}

impl License {
    /// Whether it has expired on the day `today`.
    pub fn has_expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|expires| expires < today)
    }

    /// Days from `today` to its last day, negative once it has expired; `None` without one.
    pub fn days_left(&self, today: Date) -> Option<i32> {
        Some((self.expires? - today).get_days())
    }

    /// The last day in words, as in "January 31, 2027"; empty if there is none.
    pub fn expires_text(&self) -> String {
        let text = |day: Date| day.strftime("%B %-d, %Y").to_string();
        self.expires.map(text).unwrap_or_default()
    }

    pub(super) fn check(&self, state: &str) -> Result<()> {
        if state.len() != 2 || !state.bytes().all(|b| b.is_ascii_uppercase()) {
            bail!(
                "setting `company.licenses.{state}`: the key is a state's two capital letters, as \
                 in TX"
            );
        }
        if self.number.trim().is_empty() {
            bail!("setting `company.licenses.{state}`: the number is empty");
        }
        if [&self.number, &self.holder]
            .iter()
            .any(|text| text.chars().any(char::is_control))
        {
            bail!("setting `company.licenses.{state}`: number and holder are one line each");
        }
        Ok(())
    }
}

impl From<&str> for License {
    fn from(number: &str) -> Self {
        Self {
            number: number.to_owned(),
            ..Self::default()
        }
    }
}

/// The table form of the setting.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    number: String,
    #[serde(default)]
    holder: String,
    expires: Option<Date>,
}

impl<'de> Deserialize<'de> for License {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = toml::Value::deserialize(deserializer)?;
        if let Some(number) = written.as_str() {
            return Ok(number.into());
        }
        if !written.is_table() {
            return Err(D::Error::custom(
                "expected a license number, or { number = \"…\", holder = \"…\", expires = \
                 \"2027-01-31\" }",
            ));
        }
        let table = Table::deserialize(written).map_err(D::Error::custom)?;
        Ok(Self {
            number: table.number,
            holder: table.holder,
            expires: table.expires,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::civil::date;

    use super::License;

    fn parse(text: &str) -> Result<BTreeMap<String, License>, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn a_license_is_a_number_or_a_table() {
        let all = parse(
            "TX = \"B1\"\nCA = { number = \"PPO 1\", holder = \"West LLC\", expires \
             = \"2027-01-31\" }",
        )
        .unwrap();
        assert_eq!(all["TX"], "B1".into());
        assert_eq!(all["CA"].holder, "West LLC");
        assert_eq!(all["CA"].expires_text(), "January 31, 2027");
        for (wrong, hint) in [
            ("TX = 5", "a license number, or"),
            ("TX = { holder = \"x\" }", "missing field `number`"),
            ("TX = { number = \"1\", until = \"2027-01-31\" }", "until"),
            ("TX = { number = \"1\", expires = \"soon\" }", "soon"),
        ] {
            let error = parse(wrong).unwrap_err().to_string();
            assert!(error.contains(hint), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_license_is_valid_through_its_last_day() {
        let license =
            parse("TX = { number = \"1\", expires = \"2027-01-31\" }").unwrap()["TX"].clone();
        let (last, next) = (date(2027, 1, 31), date(2027, 2, 1));
        assert!(!license.has_expired(last) && license.has_expired(next));
        assert!(!License::from("1").has_expired(date(9999, 1, 1)));
        assert_eq!(
            [last, next].map(|day| license.days_left(day)),
            [Some(0), Some(-1)]
        );
        assert!(license.check("TX").is_ok());
        assert!(license.check("texas").is_err());
        assert!(License::from(" ").check("TX").is_err());
        assert!(License::from("a\nb").check("TX").is_err());
    }
}
