//! Redirect targets: the site's origin and the configured URLs, compared as parsed URLs; any other
//! target is replaced by the site's home page.

use reqwest::Url;

use crate::Auth;

impl Auth {
    /// The redirect target to use for a requested one (auth API, section 5).
    pub fn checked_redirect(&self, wanted: Option<&str>) -> String {
        wanted
            .and_then(|wanted| allowed(wanted, &self.urls.origin, &self.config.redirect_urls))
            .unwrap_or_else(|| format!("{}/", self.urls.origin))
    }
}

/// The requested URL as parsed, if it is allowed. Parsers disagree about backslashes, control
/// characters and white space, so these are always rejected.
fn allowed(wanted: &str, origin: &str, listed: &[String]) -> Option<String> {
    let odd = |c: char| c == '\\' || c.is_control() || c.is_whitespace();
    if wanted.contains(odd) {
        return None;
    }
    let mut url = Url::parse(wanted).ok()?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none();
    if !plain {
        return None;
    }
    url.set_fragment(None);
    let ours = Url::parse(origin).is_ok_and(|site| site.origin() == url.origin());
    (ours || listed.iter().any(|pattern| matches(pattern, &url))).then(|| url.into())
}

fn matches(pattern: &str, url: &Url) -> bool {
    let (base, any_rest) = match pattern.strip_suffix('*') {
        Some(base) => (base, true),
        None => (pattern, false),
    };
    let Ok(base) = Url::parse(base) else {
        return false;
    };
    base.origin() == url.origin()
        && if any_rest {
            url.path().starts_with(base.path())
        } else {
            url.path() == base.path() && (base.query().is_none() || url.query() == base.query())
        }
}

/// Adds `pairs` to the query of a checked URL.
pub fn with_query(target: &str, pairs: &[(&str, &str)]) -> String {
    match Url::parse(target) {
        Ok(mut url) => {
            url.query_pairs_mut().extend_pairs(pairs);
            url.into()
        }
        Err(_) => target.to_owned(),
    }
}

/// Adds `pairs` as the fragment of a checked URL.
pub fn with_fragment(target: &str, pairs: &[(&str, &str)]) -> String {
    let pairs = serde_urlencoded::to_string(pairs).unwrap_or_default();
    format!("{target}#{pairs}")
}

#[cfg(test)]
mod tests {
    use super::{allowed, with_fragment, with_query};

    const SITE: &str = "https://guard.example";

    #[test]
    fn only_our_origin_and_listed_addresses_pass() {
        let listed = [
            "https://app.example/in".to_owned(),
            "https://staff.example/desk/*".to_owned(),
        ];
        for (wanted, passes) in [
            ("https://guard.example", true),
            ("https://guard.example/admin?x=1", true),
            ("https://GUARD.example:443/admin", true),
            ("https://app.example/in", true),
            ("https://app.example/in?x=1", true),
            ("https://app.example/in/deeper", false),
            ("https://app.example/other", false),
            ("https://staff.example/desk/7", true),
            ("https://staff.example/desk/../etc", false),
            ("https://staff.example/", false),
            ("http://guard.example/", false),
            ("https://guard.example:8443/", false),
            ("https://guard.example.evil.test/", false),
            ("https://guard.example@evil.test/", false),
            ("https://user:pw@guard.example/", false),
            ("https://evil.test\\@guard.example/", false),
            ("https://guard.example\\.evil.test/", false),
            ("//evil.test/", false),
            ("/admin", false),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("https://guard.example/\nSet-Cookie: x", false),
            ("", false),
        ] {
            assert_eq!(
                allowed(wanted, SITE, &listed).is_some(),
                passes,
                "{wanted:?}"
            );
        }
    }

    #[test]
    fn a_fragment_that_was_asked_for_is_dropped() {
        assert_eq!(
            allowed("https://guard.example/a#b", SITE, &[]).as_deref(),
            Some("https://guard.example/a")
        );
        assert_eq!(
            with_fragment("https://guard.example/a", &[("k", "a b")]),
            "https://guard.example/a#k=a+b"
        );
        assert_eq!(
            with_query("https://guard.example/a?x=1", &[("code", "c")]),
            "https://guard.example/a?x=1&code=c"
        );
    }
}
