//! Marketing attribution of a visit, as the browser sends it: no personal data, no IP address. It
//! is sent with the form and stored with the quote or message.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::text::is_invisible;

/// First-party attribution: the page first seen, the referrer's host and the campaign's parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Object)]
#[serde(default)]
pub struct Attribution {
    /// The first page of the visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub landing: Option<String>,
    /// The host of the referring page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub referrer_host: Option<String>,
    /// Campaign source.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub utm_source: Option<String>,
    /// Campaign medium.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub utm_medium: Option<String>,
    /// Campaign name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub utm_campaign: Option<String>,
    /// Campaign keyword.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub utm_term: Option<String>,
    /// Campaign variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub utm_content: Option<String>,
    /// The advertisement click's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub gclid: Option<String>,
}

/// Maximum code points per value: enough for any real campaign, too few to abuse as storage.
const MAX_LEN: usize = 200;

impl Attribution {
    /// Removes control and invisible characters and cuts each value at 200 code points; `None` if
    /// every value is empty.
    pub fn cleaned(self) -> Option<Self> {
        let clean = |value: Option<String>| {
            let cleaned: String = value?
                .chars()
                .filter(|c| !c.is_control() && !is_invisible(*c))
                .take(MAX_LEN)
                .collect();
            Some(cleaned).filter(|text| !text.is_empty())
        };
        let cleaned = Self {
            landing: clean(self.landing),
            referrer_host: clean(self.referrer_host),
            utm_source: clean(self.utm_source),
            utm_medium: clean(self.utm_medium),
            utm_campaign: clean(self.utm_campaign),
            utm_term: clean(self.utm_term),
            utm_content: clean(self.utm_content),
            gclid: clean(self.gclid),
        };
        Some(cleaned).filter(|attribution| *attribution != Self::default())
    }
}

#[cfg(test)]
mod tests {
    use super::Attribution;

    #[test]
    fn values_are_stripped_and_cut_and_without_any_there_is_no_attribution() {
        let given = Attribution {
            landing: Some("/fire\u{7}-watch\n".into()),
            utm_source: Some("\u{200b}ads\u{202e}".into()),
            utm_term: Some("\t\n\u{feff}".into()),
            gclid: Some("g".repeat(201)),
            ..Attribution::default()
        };
        let cleaned = Attribution {
            landing: Some("/fire-watch".into()),
            utm_source: Some("ads".into()),
            gclid: Some("g".repeat(200)),
            ..Attribution::default()
        };
        assert_eq!(given.cleaned(), Some(cleaned));
        let empty = Attribution {
            utm_source: Some(String::new()),
            utm_term: Some("\n".into()),
            ..Attribution::default()
        };
        assert_eq!(empty.cleaned(), None);
    }
}
