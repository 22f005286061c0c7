//! Where a visit came from, as one of a few sources: by the campaign of its address, else by the
//! host that linked to it.

use std::borrow::Cow;

use url::form_urlencoded;

use crate::request::attribution::Attribution;

crate::text_enum! {
    /// The source of a view or a request.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Source {
        /// No page linked to it, or none is known.
        Direct = "direct",
        Search = "search",
        Social = "social",
        /// Another website.
        Website = "website",
        /// A paid click.
        Ad = "ad",
        /// A campaign by email.
        Email = "email",
        /// Another campaign.
        Campaign = "campaign",
        /// A request by phone.
        Phone = "phone",
        /// A view that a page of this site linked to.
        Own = "own",
        /// A view by a program.
        Robot = "robot",
        /// A view by a person who is signed in at the desk.
        Office = "office",
    }
}

/// Parts of the names of hosts, without the ending.
const SEARCH_HOSTS: [&str; 9] = [
    "google",
    "bing",
    "duckduckgo",
    "yahoo",
    "ecosia",
    "brave",
    "startpage",
    "yandex",
    "baidu",
];
const SOCIAL_HOSTS: [&str; 10] = [
    "facebook",
    "instagram",
    "linkedin",
    "lnkd",
    "twitter",
    "t",
    "reddit",
    "nextdoor",
    "youtube",
    "tiktok",
];
/// Values of `utm_medium` that name a paid click.
const PAID_MEDIA: [&str; 7] = [
    "cpc",
    "ppc",
    "paid",
    "paidsearch",
    "paid_social",
    "display",
    "cpm",
];
const EMAIL_MEDIA: [&str; 3] = ["email", "e-mail", "newsletter"];
/// The longest name of a campaign or a page, in characters.
const MAX_NAME: usize = 80;
/// In place of a name that is too long or has other characters than names have.
const UNNAMED: &str = "other";

/// Where the first visit of a customer came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub source: Source,
    /// The name of the campaign; empty if there is none.
    pub campaign: String,
    /// The page on which the visit began; empty if it is not known.
    pub entry_page: String,
}

impl Origin {
    /// That of a request of the site with the attribution of its visit.
    pub fn of(from: Option<&Attribution>) -> Self {
        let name = |name: Option<&String>| name.map(|name| plain_name(name)).unwrap_or_default();
        Self {
            source: Source::of_attribution(from),
            campaign: name(from.and_then(|from| from.utm_campaign.as_ref())),
            entry_page: name(from.and_then(|from| from.landing.as_ref())),
        }
    }
}

impl Source {
    /// Whether a view from it is one of a visitor.
    pub const fn is_visitor(self) -> bool {
        !matches!(self, Self::Robot | Self::Office)
    }

    /// The source of the visit that led to a request.
    pub fn of_attribution(attribution: Option<&Attribution>) -> Self {
        let Some(from) = attribution else {
            return Self::Direct;
        };
        let named = |name: &Option<String>| name.as_deref().is_some_and(|name| !name.is_empty());
        Self::of(
            from.utm_medium.as_deref().unwrap_or_default(),
            named(&from.gclid),
            named(&from.utm_source) || named(&from.utm_campaign),
            from.referrer_host.as_deref(),
        )
    }

    /// The source of a view at an address with this query, which a page of the host `referrer`
    /// linked to, and the name of its campaign. `own` is the host of this site.
    pub fn of_view(query: &str, referrer: Option<&str>, own: &str) -> (Self, Option<String>) {
        if referrer.is_some_and(|host| host == own) {
            return (Self::Own, None);
        }
        let (mut medium, mut campaign) = (Cow::default(), None);
        let (mut is_click, mut is_campaign) = (false, false);
        let has_campaign = query.contains("utm_") || query.contains("gclid=");
        let pairs = form_urlencoded::parse(if has_campaign { query.as_bytes() } else { b"" });
        for (name, value) in pairs.filter(|(_, value)| !value.is_empty()) {
            match &*name {
                "utm_medium" => medium = value,
                "gclid" => is_click = true,
                "utm_source" => is_campaign = true,
                "utm_campaign" => {
                    is_campaign = true;
                    campaign = Some(plain_name(&value));
                }
                _ => {}
            }
        }
        (Self::of(&medium, is_click, is_campaign, referrer), campaign)
    }

    fn of(medium: &str, is_click: bool, is_campaign: bool, host: Option<&str>) -> Self {
        let is_one_of = |known: &[&str]| known.iter().any(|it| medium.eq_ignore_ascii_case(it));
        if is_click || is_one_of(&PAID_MEDIA) {
            return Self::Ad;
        }
        if is_one_of(&EMAIL_MEDIA) {
            return Self::Email;
        }
        if is_campaign {
            return Self::Campaign;
        }
        let Some(host) = host.filter(|host| !host.is_empty()) else {
            return Self::Direct;
        };
        // The last part is the ending, as in `com`; `google.co.uk` has two of them.
        let parts = || host.split('.').rev().skip(1);
        let has = |names: &[&str]| {
            parts().any(|part| names.iter().any(|name| part.eq_ignore_ascii_case(name)))
        };
        match () {
            () if has(&SEARCH_HOSTS) => Self::Search,
            () if has(&SOCIAL_HOSTS) || host.eq_ignore_ascii_case("x.com") => Self::Social,
            () => Self::Website,
        }
    }
}

/// The host of the address in a `Referer` header, without its port.
pub fn host_of(referrer: &str) -> Option<&str> {
    let (_, rest) = referrer.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    Some(host.split(':').next().unwrap_or(host)).filter(|host| !host.is_empty())
}

/// A name that visitors can choose, as figures keep it: in lower case, and `other` if it is long or
/// has characters that names of campaigns and pages do not have. No address fits.
pub fn plain_name(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " /-_.+".contains(c);
    match text.len() <= MAX_NAME && text.chars().all(is_plain) {
        true => text.to_ascii_lowercase(),
        false => UNNAMED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_has_the_source_of_its_campaign_else_of_the_linking_host() {
        for (query, referrer, source, campaign) in [
            ("", None, Source::Direct, None),
            ("", Some("www.google.com"), Source::Search, None),
            ("", Some("www.google.co.uk"), Source::Search, None),
            ("", Some("l.facebook.com"), Source::Social, None),
            ("", Some("t.co"), Source::Social, None),
            ("", Some("x.com"), Source::Social, None),
            ("", Some("trade-blog.example"), Source::Website, None),
            ("", Some("guards.example"), Source::Own, None),
            ("service=patrol", None, Source::Direct, None),
            ("gclid=abc", Some("www.google.com"), Source::Ad, None),
            (
                "utm_source=bing&utm_medium=CPC&utm_campaign=Fire%20Watch",
                None,
                Source::Ad,
                Some("fire watch"),
            ),
            (
                "utm_medium=email&utm_campaign=june",
                None,
                Source::Email,
                Some("june"),
            ),
            (
                "utm_campaign=ann@house.example",
                None,
                Source::Campaign,
                Some("other"),
            ),
            ("utm_source=flyer", None, Source::Campaign, None),
        ] {
            let found = Source::of_view(query, referrer, "guards.example");
            assert_eq!(
                found,
                (source, campaign.map(str::to_owned)),
                "{query} {referrer:?}"
            );
        }
    }

    #[test]
    fn a_request_has_the_source_that_its_first_view_had() {
        let from = |host: Option<&str>, medium: Option<&str>| Attribution {
            referrer_host: host.map(str::to_owned),
            utm_medium: medium.map(str::to_owned),
            ..Attribution::default()
        };
        let source = |from: &Attribution| Source::of_attribution(Some(from));
        assert_eq!(Source::of_attribution(None), Source::Direct);
        assert_eq!(source(&from(Some("duckduckgo.com"), None)), Source::Search);
        assert_eq!(
            source(&from(Some("duckduckgo.com"), Some("cpc"))),
            Source::Ad
        );
    }

    #[test]
    fn the_host_of_an_address_has_no_port() {
        assert_eq!(host_of("https://a.example:8080/b?c"), Some("a.example"));
        assert_eq!(host_of("android-app://com.google"), Some("com.google"));
        for wrong in ["", "about:blank", "https://"] {
            assert_eq!(host_of(wrong), None, "{wrong}");
        }
    }
}
