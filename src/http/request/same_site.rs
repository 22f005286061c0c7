//! Whether a request comes from a page of this site: cross-site request forgery is rejected by the
//! browsers' own headers.

use std::net::IpAddr;

use poem::http::HeaderMap;
use poem::http::uri::Authority;

use config::is_loopback;

/// Whether a browser sent this request from a page of this site, by Fetch Metadata and `Origin`
/// (OWASP CSRF cheat sheet). A client that sends neither header is not a browser.
///
/// `Host` proves nothing for a DNS name: rebinding points any name at this server, and the browser
/// then treats its pages as same-origin. Only names that cannot be rebound (`localhost` and IP
/// addresses) may differ from the configured origin.
pub fn same_site(headers: &HeaderMap, origin: &str) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let fetched_by_us = text("sec-fetch-site").is_none_or(|s| matches!(s, "same-origin" | "none"));
    fetched_by_us
        && text("origin").is_none_or(|from| from == origin || is_local(from, text("host"), origin))
}

/// Whether `from` equals `Host` and cannot be rebound by DNS: a loopback address, or any IP address
/// if the configured origin is an IP address too.
fn is_local(from: &str, host: Option<&str>, origin: &str) -> bool {
    let authority = |url: &str| url.split_once("://")?.1.parse::<Authority>().ok();
    let Some(asked) = authority(from).filter(|asked| host == Some(asked.as_str())) else {
        return false;
    };
    let has_no_name = || authority(origin).is_some_and(|own| is_ip(own.host()));
    is_loopback(asked.host()) || (is_ip(asked.host()) && has_no_name())
}

fn is_ip(host: &str) -> bool {
    host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::same_site;
    use poem::http::{HeaderMap, HeaderName, HeaderValue};

    #[test]
    fn a_name_that_dns_could_rebind_is_ours_only_where_it_is_configured() {
        for (origin, own, ours) in [
            ("https://guard.example", "https://guard.example", true),
            ("http://evil.example", "https://guard.example", false),
            ("http://evil.example", "http://127.0.0.1:8080", false),
            ("http://localhost:8080", "http://127.0.0.1:8080", true),
            ("http://127.0.0.1:8080", "https://guard.example", true),
            ("http://[::1]:8080", "https://guard.example", true),
            ("http://192.0.2.7:8080", "http://127.0.0.1:8080", true),
            ("http://192.0.2.7:8080", "https://guard.example", false),
            (
                "http://127.0.0.1.evil.example",
                "http://127.0.0.1:8080",
                false,
            ),
            (
                "http://localhost.evil.example",
                "http://127.0.0.1:8080",
                false,
            ),
        ] {
            let host = origin.split_once("://").unwrap().1;
            for site in [None, Some("same-origin")] {
                let pairs = [
                    ("origin", Some(origin)),
                    ("host", Some(host)),
                    ("sec-fetch-site", site),
                ];
                let value = pairs
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, value?)));
                let headers: HeaderMap = value
                    .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)))
                    .collect();
                assert_eq!(
                    same_site(&headers, own),
                    ours,
                    "{origin} at {own}, {site:?}"
                );
            }
        }
    }
}
