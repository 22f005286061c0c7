//! A JSON body read strictly: a number is not a text, and what is wrong is said with its place. poem-openapi's own `Json` takes numbers for
//! texts and reads twice; its descriptions are kept.

use std::marker::PhantomData;

use poem::{Request, RequestBody, Result};
use poem_openapi::error::ParseRequestPayloadError;
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};

/// A JSON object of type `T`. The middleware in front has checked the content type and the length.
pub struct Strict<T>(pub T);

impl<'a, T: DeserializeOwned + Type> ApiExtractor<'a> for Strict<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        Json::<T>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let schema: MetaSchemaRef = Json::<T>::schema_ref();
        let content = vec![MetaMediaType {
            content_type: "application/json",
            schema,
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
        let bytes = body.take()?.into_vec().await?;
        let parsed = serde_json::from_slice(&bytes).map(|Object(value)| Self(value));
        parsed.map_err(|error| {
            ParseRequestPayloadError {
                reason: error.to_string(),
            }
            .into()
        })
    }
}

/// Only an object will do: serde would also read a struct from an array of its fields.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Map(PhantomData))
    }
}

struct Map<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Map<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(serde::de::value::MapAccessDeserializer::new(map)).map(Object)
    }
}
