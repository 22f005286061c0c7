//! Whether our own mail server has verified the author's domain: the topmost
//! `Authentication-Results` decides, and only if it names our server. Those below may have been
//! written by the sender.

use super::headers::Headers;
use super::results::{self, Outcome};

/// Whether the server `authserv_id` has verified that the email comes from the domain of `from`: by
/// DMARC, or by DKIM or SPF of an aligned domain. An empty id verifies nothing.
pub(super) fn is_verified(headers: &Headers, authserv_id: &str, from: &str) -> bool {
    let (Some(field), Some((_, domain))) = (
        headers.first("authentication-results"),
        from.rsplit_once('@'),
    ) else {
        return false;
    };
    let Some(results) = results::parse(field) else {
        return false;
    };
    if authserv_id.is_empty() || !results.authserv_id.eq_ignore_ascii_case(authserv_id) {
        return false;
    }
    let domain = domain.trim_end_matches('.').to_ascii_lowercase();
    let of = |method: &'static str| {
        let outcomes = results.outcomes.iter();
        outcomes.filter(move |it| it.method == method)
    };
    let judged = of("dmarc").find(|dmarc| dmarc.result != "none");
    if let Some((dmarc, named)) = judged.and_then(|it| Some((it, domain_of(it, &["header.from"])?)))
    {
        return dmarc.result == "pass" && named == domain;
    }
    // A result of DMARC that does not name its domain allows nothing, and a failure forbids.
    if judged.is_some_and(|dmarc| dmarc.result != "pass") {
        return false;
    }
    let is_aligned = |outcome: &Outcome, names: &[&str]| {
        let named = domain_of(outcome, names);
        outcome.result == "pass" && named.is_some_and(|named| are_aligned(&named, &domain))
    };
    of("dkim").any(|dkim| is_aligned(dkim, &["header.d", "header.i"]))
        || of("spf").any(|spf| is_aligned(spf, &["smtp.mailfrom"]))
}

/// The domain in the first of these properties that is there.
fn domain_of(outcome: &Outcome, names: &[&str]) -> Option<String> {
    let value = names.iter().find_map(|name| outcome.property(name))?;
    let domain = value.rsplit('@').next().unwrap_or(value);
    Some(domain.trim_end_matches('.').to_ascii_lowercase())
}

/// Relaxed alignment (RFC 7489, section 3.1): the domains are the same, or belong to one
/// organization by the public suffix list. What everybody can register below aligns with nothing.
fn are_aligned(one: &str, other: &str) -> bool {
    let organization = psl::domain_str;
    one == other || organization(one).is_some_and(|found| organization(other) == Some(found))
}
