//! A strict JSON body: a number is not accepted as a string, unknown and doubled members are
//! refused, and errors name the member. poem-openapi's own `Json` accepts numbers for strings and
//! parses twice; its schemas are used.

use std::marker::PhantomData;

use poem::http::StatusCode;
use poem::{Request, RequestBody, Result};
use poem_openapi::registry::{MetaMediaType, MetaRequest, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;
use serde_json::map::Entry;

/// A JSON object parsed as `T` and described as `D`. The middleware has already checked content
/// type and length.
pub struct StrictJson<T, D = T>(pub T, PhantomData<fn() -> D>);

impl<'a, T: DeserializeOwned + Send, D: Type> ApiExtractor<'a> for StrictJson<T, D> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        D::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let content = vec![MetaMediaType {
            content_type: "application/json",
            schema: D::schema_ref(),
        }];
        Some(MetaRequest {
            description: None,
            content,
            required: true,
        })
    }

    async fn from_request(
        _: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> Result<Self> {
        // The middleware has buffered the body; this takes its bytes without a copy.
        let bytes = body.take()?.into_bytes().await?;
        match parse(&bytes) {
            Ok(value) => Ok(Self(value, PhantomData)),
            Err(error) => Err(poem::Error::new(error, StatusCode::BAD_REQUEST)),
        }
    }
}

/// Names of types in serde's messages, and in ours.
const JSON_TERMS: [(&str, &str); 6] = [
    ("a string", "a text"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("a boolean", "true or false"),
    ("i64", "a whole number"),
    ("u64", "a whole number of at least 0"),
];

/// Why a body is not of the expected type.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum JsonError {
    /// It is no JSON object, or has an unknown or a doubled member.
    #[error("{0}")]
    Unreadable(String),
    /// A member is missing, or has a wrong type or value.
    #[error("{detail}")]
    Member {
        /// Its name.
        name: String,
        /// What it has to be, with its path, as in `overrides[0].from`.
        detail: String,
    },
}

/// Parses an object. Errors name the member, and say what it has to be without its value.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, JsonError> {
    let is_json = || serde_json::from_slice::<Value>(bytes).is_ok();
    // serde would also read a struct from an array of its fields.
    if !bytes.trim_ascii_start().starts_with(b"{") && is_json() {
        return Err(JsonError::Unreadable("expected a JSON object".to_owned()));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut deserializer);
    let value = parsed.map_err(|error| {
        // serde_json reports a number in place of a word as a fault of the syntax.
        match error.path().to_string() {
            path if error.inner().is_data() => explain(&path, error.inner()),
            path if path != "." && is_json() => {
                wrong_member(&path, format!("`{path}` has a wrong type."))
            }
            _ => JsonError::Unreadable(error.inner().to_string()),
        }
    })?;
    let end = deserializer.end();
    end.map_err(|error| JsonError::Unreadable(error.to_string()))?;
    Ok(value)
}

/// Makes a sentence of serde's message, as in ``invalid type: null, expected a string``.
fn explain(path: &str, error: &serde_json::Error) -> JsonError {
    let message = error.to_string();
    let words = message
        .rsplit_once(" at line ")
        .map_or(&*message, |it| it.0);
    if let Some(name) = words.strip_prefix("missing field ") {
        let name = name.trim_matches('`');
        return wrong_member(name, format!("`{name}` is missing."));
    }
    let of_object = ["unknown field ", "duplicate field ", "the field "];
    if path == "." || of_object.iter().any(|it| words.starts_with(it)) {
        return JsonError::Unreadable(message);
    }
    let detail = match words.rsplit_once(", expected ") {
        Some((_, expected)) => {
            let known = JSON_TERMS.iter().find(|(serde, _)| *serde == expected);
            let expected = known.map_or_else(|| expected.replace('`', ""), |it| it.1.to_owned());
            format!("`{path}` is {expected}.")
        }
        // Of a type of ours, which gives a sentence.
        None => words.to_owned(),
    };
    wrong_member(path, detail)
}

/// The error of the member at the end of a path, without an index into its list.
fn wrong_member(path: &str, detail: String) -> JsonError {
    let name = path.rsplit('.').next().unwrap_or(path);
    let name = name.split('[').next().unwrap_or(name).to_owned();
    JsonError::Member { name, detail }
}

/// The members of a form's object with any types, so that the form's rules can report each wrong
/// one. Duplicate keys are rejected (RFC 8259, section 4).
pub struct UniqueKeys(pub serde_json::Map<String, Value>);

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(UniqueKeysVisitor)
    }
}

struct UniqueKeysVisitor;

impl<'de> Visitor<'de> for UniqueKeysVisitor {
    type Value = UniqueKeys;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = serde_json::Map::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            match members.entry(name) {
                Entry::Vacant(member) => {
                    member.insert(value);
                }
                Entry::Occupied(member) => {
                    let error = format!("the field `{}` is given twice", member.key());
                    return Err(A::Error::custom(error));
                }
            }
        }
        Ok(UniqueKeys(members))
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonError, parse};
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Outcome {
        Reached,
        NoAnswer,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Call {
        #[expect(dead_code)]
        outcome: Outcome,
        #[expect(dead_code)]
        notes: Option<Vec<String>>,
    }

    #[test]
    fn a_wrong_member_is_named_with_what_it_has_to_be() {
        for (body, name, detail) in [
            ("{}", "outcome", "`outcome` is missing."),
            (
                r#"{"outcome":"lost, expected x"}"#,
                "outcome",
                "`outcome` is reached or no_answer.",
            ),
            (
                r#"{"outcome":null}"#,
                "outcome",
                "`outcome` has a wrong type.",
            ),
            (
                r#"{"outcome":"reached","notes":5}"#,
                "notes",
                "`notes` is a list.",
            ),
            (
                r#"{"outcome":"reached","notes":["a",5]}"#,
                "notes",
                "`notes[1]` is a text.",
            ),
        ] {
            let (name, detail) = (name.to_owned(), detail.to_owned());
            let expected = JsonError::Member { name, detail };
            assert_eq!(parse::<Call>(body.as_bytes()).unwrap_err(), expected);
        }
    }

    #[test]
    fn other_bodies_are_unreadable() {
        for (body, words) in [
            ("", "EOF while parsing"),
            ("[\"reached\"]", "expected a JSON object"),
            ("{\"outcome\":\"reached\"} x", "trailing characters"),
            (r#"{"outcome":}"#, "expected value"),
            (r#"{"outcome":"reached","notes":["\ud800"]}"#, "hex escape"),
            (
                r#"{"outcome":"reached","outcome":"reached"}"#,
                "duplicate field `outcome`",
            ),
            (r#"{"outcome":"reached","x":1}"#, "unknown field `x`"),
        ] {
            let error = parse::<Call>(body.as_bytes()).unwrap_err();
            let is_expected =
                matches!(&error, JsonError::Unreadable(reason) if reason.contains(words));
            assert!(is_expected, "{error:?}");
        }
    }
}
