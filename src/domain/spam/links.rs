//! Finds links in visitors' texts.

use std::collections::BTreeSet;

/// Endings of hosts that are links without `www.` or a scheme. Others may be the end of a sentence.
const ENDINGS: [&str; 26] = [
    "biz", "click", "club", "cn", "co", "com", "de", "fun", "icu", "info", "io", "link", "live",
    "net", "online", "org", "pro", "ru", "shop", "site", "space", "store", "top", "uk", "vip",
    "xyz",
];

/// The hosts to which the texts link, each once, without the sender's own: the domain of `email`.
pub(super) fn foreign_links(texts: &[&str], email: &str) -> Vec<String> {
    if !texts.iter().any(|text| text.contains('.')) {
        return Vec::new();
    }
    let own = email.rsplit('@').next().unwrap_or_default().to_lowercase();
    let words = texts.iter().flat_map(|text| text.split(is_separator));
    let hosts: BTreeSet<String> = words
        .filter_map(host)
        .filter(|host| !is_of(host, &own))
        .collect();
    hosts.into_iter().collect()
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '<' | '>' | ',' | '|' | '“' | '”')
}

/// The host of a link, without `www.`; `None` if the word is no link.
fn host(word: &str) -> Option<String> {
    let word = word
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let (rest, is_marked) = match word.split_once("://") {
        Some((_, rest)) => (rest, true),
        None => (word.as_str(), word.starts_with("www.")),
    };
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let host = rest.split(['/', ':', '?', '#']).next().unwrap_or_default();
    let (name, ending) = host.rsplit_once('.')?;
    let is_host = !name.is_empty() && !host.contains('@') && !host.contains("..");
    let is_link = is_host && (is_marked || (ENDINGS.contains(&ending) && is_name(name)));
    is_link.then(|| host.to_owned())
}

fn is_name(name: &str) -> bool {
    name.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '.'))
}

fn is_of(host: &str, domain: &str) -> bool {
    host == domain
        || host
            .strip_suffix(domain)
            .is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::foreign_links;

    #[test]
    fn links_are_found_and_those_of_the_senders_domain_are_not_counted() {
        for (text, hosts) in [
            (
                "See https://shop.example/a?b=c, it is good.",
                &["shop.example"][..],
            ),
            ("WWW.Example.ORG and example.org/x", &["example.org"]),
            (
                "(http://a.example) [b.com] <c.ru>",
                &["a.example", "b.com", "c.ru"],
            ),
            ("Our site www.tower.example or plans.tower.example", &[]),
            ("https://eviltower.example", &["eviltower.example"]),
            ("Write to bob@other.com. Thanks.Bob", &[]),
            ("Gate at 3.5 miles, St.Louis, Co. and Inc. at 7 p.m.", &[]),
            ("t.me/cheap https://t.me/x", &["t.me"]),
        ] {
            assert_eq!(foreign_links(&[text], "ann@tower.example"), hosts, "{text}");
        }
    }
}
