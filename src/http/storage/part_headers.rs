//! The headers of `multipart/form-data` (RFC 7578): the boundary of a body, and what a part is.

use poem::http::{HeaderMap, header};

/// Maximum length of a boundary (RFC 2046, section 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// The headers of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The field's name.
    pub name: String,
    /// The file's name; `None` for a text field.
    pub file_name: Option<String>,
    /// The declared media type.
    pub content_type: Option<String>,
}

/// The boundary of a body of the type `multipart/form-data`; `None` if it is of another type.
pub fn boundary(headers: &HeaderMap) -> Option<Option<String>> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let (kind, parameters) = value.split_once(';').unwrap_or((value, ""));
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = parameter(parameters, "boundary");
    Some(boundary.filter(|text| (1..=MAX_BOUNDARY).contains(&text.len())))
}

/// A parameter of a header, `name=value` or `name="value"`.
fn parameter(text: &str, wanted: &str) -> Option<String> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([';', ' ', '\t']);
        let (name, after) = rest.split_once('=')?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_at(after.find(';').unwrap_or(after.len())),
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value.to_owned());
        }
        rest = after;
    }
}

/// Parses the headers of a part. The first line is the rest of the delimiter's line.
pub(super) fn parse_head(head: &[u8]) -> Option<Part> {
    let head = std::str::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    if !lines.next()?.trim().is_empty() {
        return None;
    }
    let (mut part, mut named) = (Part::default(), false);
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        if name.eq_ignore_ascii_case("content-disposition") {
            let (kind, parameters) = value.split_once(';')?;
            if !kind.trim().eq_ignore_ascii_case("form-data") {
                return None;
            }
            part.name = parameter(parameters, "name")?;
            part.file_name = parameter(parameters, "filename");
            named = true;
        } else if name.eq_ignore_ascii_case("content-type") {
            part.content_type = Some(value.trim().to_owned());
        }
    }
    named.then_some(part)
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderMap;

    use super::boundary;

    #[test]
    fn the_boundary_is_a_parameter_of_the_type() {
        for (value, found) in [
            ("multipart/form-data; boundary=xx", Some(Some("xx"))),
            (
                "Multipart/Form-Data;charset=utf-8; boundary=\"a b\"",
                Some(Some("a b")),
            ),
            ("multipart/form-data", Some(None)),
            ("text/plain; boundary=xx", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("content-type", value.parse().unwrap());
            let found = found.map(|found| found.map(str::to_owned));
            assert_eq!(boundary(&headers), found, "{value}");
        }
    }
}
