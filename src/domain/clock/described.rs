//! Times and days in the API's description: texts. What they have in common with the other types
//! that no derive describes.

use poem_openapi::types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use serde_json::Value;

use super::Time;
use crate::offer::calendar::{Day, TimeOfDay};

/// The members of `Type` with a name and a schema; what is left is `register`.
#[macro_export]
macro_rules! described {
    ($name:expr, $schema:expr) => {
        const IS_REQUIRED: bool = true;
        type RawValueType = Self;
        type RawElementValueType = Self;

        fn name() -> std::borrow::Cow<'static, str> {
            $name
        }

        fn schema_ref() -> poem_openapi::registry::MetaSchemaRef {
            $schema
        }

        fn as_raw_value(&self) -> Option<&Self> {
            Some(self)
        }

        fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
            Box::new(std::iter::once(self))
        }
    };
}

/// Describes types that serde writes as texts.
macro_rules! texts {
    ($($name:ty),*) => {$(
        impl Type for $name {
            described!(String::name(), String::schema_ref());
        }

        impl ParseFromJSON for $name {
            fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
                serde_json::from_value(value.unwrap_or_default()).map_err(ParseError::custom)
            }
        }

        impl ToJSON for $name {
            fn to_json(&self) -> Option<Value> {
                serde_json::to_value(self).ok()
            }
        }
    )*};
}

texts!(Time, Day, TimeOfDay);
