//! Conditions and ranges of a download (RFC 9110, sections 13 and 14).

use std::ops::Range;

use jiff::fmt::rfc2822::{DateTimeParser, DateTimePrinter};
use poem::http::{HeaderMap, header};

use super::dto;
use domain::clock::Time;
use store::storage::objects::Object;

/// When an object was last changed; HTTP dates have whole seconds.
pub(super) fn modified(object: &Object) -> Time {
    Time::from_millis(object.updated_at.seconds() * 1000)
}

/// A time as an HTTP date.
pub(super) fn http_date(at: Time) -> Option<String> {
    let at = jiff::Timestamp::from_millisecond(at.millis()).ok()?;
    DateTimePrinter::new().timestamp_to_rfc9110_string(&at).ok()
}

fn parse_date(text: &str) -> Option<Time> {
    let at = DateTimeParser::new().parse_timestamp(text).ok()?;
    Some(Time::from_millis(at.as_millisecond()))
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Whether the client has these bytes: `If-None-Match`, else `If-Modified-Since`.
pub(super) fn is_fresh(request: &HeaderMap, object: &Object) -> bool {
    if request.contains_key(header::IF_NONE_MATCH) {
        let etag = dto::etag(object);
        let lines = request.get_all(header::IF_NONE_MATCH).iter();
        let tags = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(','))
            .map(|tag| tag.trim().trim_start_matches("W/"));
        return tags.into_iter().any(|tag| tag == "*" || tag == etag);
    }
    let since = text(request, &header::IF_MODIFIED_SINCE).and_then(parse_date);
    since.is_some_and(|since| modified(object) <= since)
}

/// The requested range, `Err` if it is outside the file. `None` for the whole file: no range,
/// several, a malformed one, or one of other bytes (`If-Range`).
pub(super) fn requested_range(
    request: &HeaderMap,
    object: &Object,
) -> Option<Result<Range<u64>, ()>> {
    let range = text(request, &header::RANGE)?;
    if let Some(condition) = text(request, &header::IF_RANGE) {
        let is_same = match is_entity_tag(condition) {
            true => condition == dto::etag(object),
            false => parse_date(condition) == Some(modified(object)),
        };
        if !is_same {
            return None;
        }
    }
    parse_range(range, object.size)
}

/// Whether a condition is an entity tag rather than a date, which can begin with `Wed`.
fn is_entity_tag(condition: &str) -> bool {
    condition.starts_with('"') || condition.starts_with("W/")
}

fn parse_range(text: &str, size: u64) -> Option<Result<Range<u64>, ()>> {
    let (unit, spec) = text.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = spec.trim().split_once('-')?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<u64>().unwrap_or(u64::MAX))
    };
    let range = match (first, last) {
        ("", last) => size.saturating_sub(number(last)?)..size,
        (first, "") => number(first)?..size,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            first..size.min(last.saturating_add(1))
        }
    };
    Some(if range.start < range.end {
        Ok(range)
    } else {
        Err(())
    })
}

#[cfg(test)]
mod tests {
    use super::is_entity_tag;

    #[test]
    fn a_date_of_a_wednesday_is_no_entity_tag() {
        for (condition, is_tag) in [
            ("\"abc\"", true),
            ("W/\"abc\"", true),
            ("Wed, 25 Nov 2026 01:00:00 GMT", false),
            ("Thu, 26 Nov 2026 01:00:00 GMT", false),
        ] {
            assert_eq!(is_entity_tag(condition), is_tag, "{condition}");
        }
    }
}
