//! Whether our own mail server has verified the author's domain: the topmost
//! `Authentication-Results` (RFC 8601) decides, and only if it names our server. Those below may
//! have been written by the sender.

use super::headers::Headers;

/// Whether the server `authserv_id` has verified that the email comes from the domain of `from`: by
/// DMARC, or by DKIM or SPF of the same domain. An empty id verifies nothing.
pub(super) fn is_verified(headers: &Headers, authserv_id: &str, from: &str) -> bool {
    let (Some(results), Some((_, domain))) = (
        headers.first("authentication-results"),
        from.rsplit_once('@'),
    ) else {
        return false;
    };
    let text = without_comments(results);
    let mut parts = text.split(';');
    let id = parts.next().and_then(|id| id.split_whitespace().next());
    if authserv_id.is_empty() || !id.is_some_and(|id| id.eq_ignore_ascii_case(authserv_id)) {
        return false;
    }
    let results: Vec<_> = parts.filter_map(Outcome::parse).collect();
    let of = |method: &'static str| results.iter().filter(move |it| it.method == method);
    if let Some(dmarc) = of("dmarc").next()
        && dmarc.result != "none"
    {
        let named = dmarc.property(&["header.from"]);
        return dmarc.result == "pass" && named.is_none_or(|named| named == domain);
    }
    let is_aligned = |outcome: &Outcome, names: &[&str]| {
        let named = outcome.property(names);
        outcome.result == "pass" && named.is_some_and(|named| are_aligned(&named, domain))
    };
    of("dkim").any(|dkim| is_aligned(dkim, &["header.d", "header.i"]))
        || of("spf").any(|spf| is_aligned(spf, &["smtp.mailfrom"]))
}

/// The outcome of a method, as in `dkim=pass header.d=customer.example`.
struct Outcome {
    method: String,
    result: String,
    properties: Vec<(String, String)>,
}

impl Outcome {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace().map(str::to_ascii_lowercase);
        let (method, result) = pair(&words.next()?)?;
        let method = method.split('/').next().unwrap_or_default().to_owned();
        Some(Self {
            method,
            result,
            properties: words.filter_map(|word| pair(&word)).collect(),
        })
    }

    /// The domain in the first of these properties that is there.
    fn property(&self, names: &[&str]) -> Option<String> {
        let value = names.iter().find_map(|name| {
            let found = self.properties.iter().find(|(found, _)| found == name);
            found.map(|(_, value)| value)
        })?;
        let domain = value.rsplit('@').next().unwrap_or(value);
        Some(domain.trim_end_matches('.').to_owned())
    }
}

fn pair(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    Some((name.to_owned(), value.trim_matches('"').to_owned()))
}

/// Whether one of two domains is the other, or below it.
fn are_aligned(one: &str, other: &str) -> bool {
    let other = other.to_ascii_lowercase();
    let is_below = |below: &str, above: &str| {
        let rest = below
            .strip_suffix(above)
            .and_then(|rest| rest.strip_suffix('.'));
        above.contains('.') && rest.is_some()
    };
    one == other || is_below(one, &other) || is_below(&other, one)
}

/// The text without comments in parentheses, which may be nested.
fn without_comments(text: &str) -> String {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_u32, false, false);
    let mut kept = String::new();
    for c in text.chars() {
        let was_escaped = is_escaped;
        is_escaped = c == '\\' && !was_escaped;
        match c {
            _ if was_escaped => {}
            '"' if depth == 0 => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted && depth > 0 => {
                depth -= 1;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            kept.push(c);
        }
    }
    kept
}
