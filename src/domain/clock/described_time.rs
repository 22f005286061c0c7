//! A time in the API's description: a text, RFC 3339 UTC with milliseconds.

use std::borrow::Cow;

use poem_openapi::registry::MetaSchemaRef;
use poem_openapi::types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use serde_json::Value;

use super::{EXPECTED, Time};

impl Type for Time {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        String::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        String::schema_ref()
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(self.as_raw_value().into_iter())
    }
}

impl ParseFromJSON for Time {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        let text = String::parse_from_json(value).map_err(ParseError::propagate)?;
        Self::parse(&text).ok_or_else(|| ParseError::custom(EXPECTED))
    }
}

impl ToJSON for Time {
    fn to_json(&self) -> Option<Value> {
        Some(Value::String(self.to_string()))
    }
}
