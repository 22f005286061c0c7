//! A strict JSON body: a number is not accepted as a string, and errors name the field.
//! poem-openapi's own `Json` accepts numbers for strings and parses twice; its schemas are used.

use std::marker::PhantomData;

use poem::{Request, RequestBody, Result};
use poem_openapi::error::ParseRequestPayloadError;
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
        let parsed =
            serde_json::from_slice(&bytes).map(|ObjectOnly(value)| Self(value, PhantomData));
        parsed.map_err(|error| {
            ParseRequestPayloadError {
                reason: error.to_string(),
            }
            .into()
        })
    }
}

/// Accepts objects only: serde would also read a struct from an array of its fields.
struct ObjectOnly<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ObjectOnly<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = ObjectOnly<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(serde::de::value::MapAccessDeserializer::new(map)).map(ObjectOnly)
    }
}

/// The members of an object with any types, so that each wrong type can be reported. Duplicate keys
/// are rejected (RFC 8259, section 4).
pub struct UniqueKeys(pub serde_json::Map<String, Value>);

impl UniqueKeys {
    /// The member of this name, if it is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }
}

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
