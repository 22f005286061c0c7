//! Where a browser may be sent with a session or a code: pages of the site, and addresses of the settings. An open redirect here would hand sessions to strangers.

use reqwest::Url;

use super::Auth;

impl Auth {
    /// The address to send a browser to: the one asked for if it is allowed, else the site's own (contract section 5).
    pub fn landing(&self, asked: Option<&str>) -> String {
        asked
            .filter(|asked| self.is_allowed(asked))
            .map_or_else(|| format!("{}/", self.origin), ToOwned::to_owned)
    }

    fn is_allowed(&self, asked: &str) -> bool {
        // What browsers read differently from one another is not read at all: backslashes, control characters, spaces, anything relative.
        if asked.len() > 2048 || asked.contains(|c: char| c == '\\' || c.is_control() || c == ' ') {
            return false;
        }
        let (Ok(url), Ok(site)) = (Url::parse(asked), Url::parse(&self.origin)) else {
            return false;
        };
        let plain = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none();
        plain
            && (url.origin() == site.origin()
                || self
                    .config
                    .redirect_urls
                    .iter()
                    .any(|allowed| fits(allowed, &url)))
    }
}

/// Whether `url` is `allowed`, or lies below it where it ends in `*`. Query and fragment are the caller's own.
fn fits(allowed: &str, url: &Url) -> bool {
    let (base, below) = match allowed.strip_suffix('*') {
        Some(base) => (base, true),
        None => (allowed, false),
    };
    Url::parse(base).is_ok_and(|base| {
        base.origin() == url.origin()
            && if below {
                url.path().starts_with(base.path())
            } else {
                url.path() == base.path()
            }
    })
}

/// `landing` with more parameters in its query.
pub fn with_query(landing: &str, pairs: &[(&str, &str)]) -> String {
    match Url::parse(landing) {
        Ok(mut url) => {
            url.query_pairs_mut().extend_pairs(pairs);
            url.into()
        }
        Err(_) => landing.to_owned(),
    }
}

/// `landing` with these parameters as its fragment. An empty `sb` ends them, by which the client knows whose fragment it is.
pub fn with_fragment(landing: &str, pairs: &[(&str, &str)]) -> String {
    match Url::parse(landing) {
        Ok(mut url) => {
            let text = serde_urlencoded::to_string(pairs).unwrap_or_default();
            url.set_fragment(Some(&format!("{text}&sb=")));
            url.into()
        }
        Err(_) => landing.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::{fits, with_fragment, with_query};

    #[test]
    fn a_star_stands_for_the_rest_of_the_path_and_nothing_else() {
        for (allowed, url, fit) in [
            ("https://app.example/in", "https://app.example/in", true),
            ("https://app.example/in", "https://app.example/in?x=1", true),
            ("https://app.example/in", "https://app.example/in/x", false),
            (
                "https://app.example/in",
                "https://app.example.evil.test/in",
                false,
            ),
            ("https://app.example/in", "http://app.example/in", false),
            (
                "https://app.example/in",
                "https://app.example:444/in",
                false,
            ),
            ("https://app.example/*", "https://app.example/a/b", true),
            (
                "https://app.example/a/*",
                "https://app.example/a/../b",
                false,
            ),
            (
                "https://app.example/*",
                "https://evil.test/app.example/",
                false,
            ),
        ] {
            assert_eq!(
                fits(allowed, &Url::parse(url).unwrap()),
                fit,
                "{allowed} {url}"
            );
        }
    }

    #[test]
    fn what_is_added_is_escaped() {
        let pairs = [("error", "a b&c")];
        assert_eq!(
            with_query("https://a.example/x?y=1#z", &pairs),
            "https://a.example/x?y=1&error=a+b%26c#z"
        );
        assert_eq!(
            with_fragment("https://a.example/x", &pairs),
            "https://a.example/x#error=a+b%26c&sb="
        );
    }
}
