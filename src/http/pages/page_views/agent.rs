//! Whether a person has asked for a page, by the headers of the request.

use poem::http::{HeaderMap, header};

use domain::spam;

/// What has asked for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agent {
    Browser,
    /// A crawler, a link preview, a monitor or another program.
    Robot,
    /// A browser that loads ahead or reads the page without showing it.
    Nobody,
}

/// Parts of the names of programs that name a browser, too.
const ROBOTS: [&str; 11] = [
    "bot",
    "crawl",
    "spider",
    "slurp",
    "preview",
    "facebookexternalhit",
    "monitor",
    "lighthouse",
    "headless",
    "scan",
    "http://",
];

pub(super) fn agent_of(headers: &HeaderMap) -> Agent {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let name = text(header::USER_AGENT.as_str());
    let is_browser = spam::Agent::of(name) == spam::Agent::Browser;
    let is_known = |name: &str| {
        let name = name.to_ascii_lowercase();
        ROBOTS.iter().any(|word| name.contains(word))
    };
    // Every browser says which languages its user reads.
    let has_reader = headers.contains_key(header::ACCEPT_LANGUAGE);
    if !is_browser || !has_reader || name.is_some_and(is_known) {
        return Agent::Robot;
    }
    let is_ahead = |name| text(name).is_some_and(|purpose| purpose.contains("prefetch"));
    let is_shown = text("sec-fetch-dest").is_none_or(|destination| destination == "document");
    match is_shown && !is_ahead("sec-purpose") && !is_ahead("purpose") {
        true => Agent::Browser,
        false => Agent::Nobody,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_that_show_a_page_are_told_from_programs() {
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        let google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
        let language = ("accept-language", "en-US");
        for (agent, others, expected) in [
            (firefox, vec![language], Agent::Browser),
            (
                firefox,
                vec![language, ("sec-fetch-dest", "document")],
                Agent::Browser,
            ),
            (
                firefox,
                vec![language, ("sec-fetch-dest", "empty")],
                Agent::Nobody,
            ),
            (
                firefox,
                vec![language, ("sec-purpose", "prefetch;prerender")],
                Agent::Nobody,
            ),
            (firefox, vec![], Agent::Robot),
            (google, vec![language], Agent::Robot),
            ("curl/8.5.0", vec![language], Agent::Robot),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, agent.parse().unwrap());
            for (name, value) in &others {
                headers.insert(*name, value.parse().unwrap());
            }
            assert_eq!(agent_of(&headers), expected, "{agent} {others:?}");
        }
    }
}
