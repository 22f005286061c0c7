//! Marketing attribution of a visit, as the browser sends it: no personal data, no IP address. It
//! is sent with the form and stored with the quote or message.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::text::is_invisible;

/// First-party attribution: the page first seen, the referrer's host and the campaign's parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Object)]
#[serde(default)]
#[oai(skip_serializing_if_is_none)]
pub struct Attribution {
    /// The first page of the visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub landing: Option<String>,
    /// The host of the referring page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referrer_host: Option<String>,
    /// Campaign source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_source: Option<String>,
    /// Campaign medium.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_medium: Option<String>,
    /// Campaign name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_campaign: Option<String>,
    /// Campaign keyword.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_term: Option<String>,
    /// Campaign variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_content: Option<String>,
    /// The advertisement click's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gclid: Option<String>,
}

/// Maximum code points per value: enough for any real campaign, too few to abuse as storage.
const MAX_LEN: usize = 200;

impl Attribution {
    /// Removes control and invisible characters and cuts each value at 200 code points; `None` if
    /// every value is empty. A click's id is kept as it is or not at all, since it goes into a file
    /// for the advertiser.
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
            gclid: self.gclid.filter(|id| is_click_id(id)),
        };
        Some(cleaned).filter(|attribution| *attribution != Self::default())
    }
}

/// Whether a text may be the id of a click: `[A-Za-z0-9_-]{1,200}`.
pub fn is_click_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_LEN).contains(&text.len()) && text.bytes().all(is_allowed)
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
            gclid: Some("Cj0KCQ_a-9".into()),
            ..Attribution::default()
        };
        let cleaned = Attribution {
            landing: Some("/fire-watch".into()),
            utm_source: Some("ads".into()),
            gclid: Some("Cj0KCQ_a-9".into()),
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

    #[test]
    fn a_click_identifier_is_kept_as_it_is_or_not_at_all() {
        let kept = |id: &str| {
            let given = Attribution {
                gclid: Some(id.to_owned()),
                ..Attribution::default()
            };
            given.cleaned().and_then(|it| it.gclid)
        };
        for id in ["a", "Cj0KCQ_a-9", &"g".repeat(200)] {
            assert_eq!(kept(id).as_deref(), Some(id));
        }
        for id in [
            "",
            "\u{ff1d}cmd",
            "=1",
            "a b",
            "a\n",
            "\u{200b}a",
            "é",
            &"g".repeat(201),
        ] {
            assert_eq!(kept(id), None, "{id:?}");
        }
    }
}
