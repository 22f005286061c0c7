//! The parameters of a query string that select what a call lists.

use std::collections::HashMap;

use poem::{FromRequest, Request, RequestBody};
use serde_json::{Value, json};

use domain::clock::Time;
use domain::clock::time_zone::TimeZone;
use http::request::problem::{Problem, bad_parameter};

/// The parameters of a query string that select what a call lists. An empty value counts as absent;
/// of repeated parameters the first counts.
pub struct FilterParams(HashMap<String, String>);

impl<'a> FromRequest<'a> for FilterParams {
    async fn from_request(request: &'a Request, _: &mut RequestBody) -> poem::Result<Self> {
        let pairs: Vec<(String, String)> = request.params().unwrap_or_default();
        let mut first = HashMap::new();
        for (name, value) in pairs {
            first.entry(name).or_insert(value);
        }
        first.retain(|_, value| !value.is_empty());
        Ok(Self(first))
    }
}

impl FilterParams {
    /// The value of a parameter. Errors: 400 that names it.
    pub fn get<T: Parameter>(&self, name: &str) -> Result<Option<T>, Problem> {
        let Some(text) = self.0.get(name) else {
            return Ok(None);
        };
        let wrong = || bad_parameter(name, format!("`{name}` is {}.", T::expected()));
        T::parse(text).map(Some).ok_or_else(wrong)
    }
}

/// The type of a parameter.
pub trait Parameter: Sized {
    /// The values, if they are few.
    const VALUES: &[&str] = &[];

    /// What a value is, for the message about a wrong one.
    fn expected() -> String {
        format!("one of {}", Self::VALUES.join(", "))
    }

    fn parse(text: &str) -> Option<Self>;
}

/// Any text.
impl Parameter for String {
    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Parameter for bool {
    const VALUES: &[&str] = &["true", "false"];

    fn expected() -> String {
        "true or false".to_owned()
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// A user.
pub enum User {
    /// `me`: the one who asks.
    Me,
    /// `nobody` or `unknown`.
    None,
    /// By the id.
    Other(String),
}

impl User {
    /// The id; empty for nobody. `me` is the id of the one who asks.
    pub fn id(self, me: &str) -> String {
        match self {
            Self::Me => me.to_owned(),
            Self::None => String::new(),
            Self::Other(id) => id,
        }
    }
}

impl Parameter for User {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "me" => Self::Me,
            "nobody" | "unknown" => Self::None,
            id => Self::Other(id.to_owned()),
        })
    }
}

/// A day, `YYYY-MM-DD` in the company's time zone.
pub struct Day(String);

impl Parameter for Day {
    fn parse(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }
}

/// The error of a parameter that should be a day.
pub fn bad_day(name: &str) -> Problem {
    bad_parameter(name, format!("`{name}` is a day, as in 2026-11-21."))
}

/// The times from the start of the day `from` to the end of the day `to`. Errors: 400.
pub fn days(
    zone: &TimeZone,
    from: Option<Day>,
    to: Option<Day>,
) -> Result<(Option<Time>, Option<Time>), Problem> {
    let time = |name: &str, day: Option<Day>, time_of: &dyn Fn(&str) -> Option<Time>| {
        let wrong = || bad_day(name);
        day.map(|day| time_of(&day.0).ok_or_else(wrong)).transpose()
    };
    let since = time("from", from, &|day| zone.start_of_day(day))?;
    let until = time("to", to, &|day| zone.end_of_day(day))?;
    match since.zip(until) {
        Some((since, until)) if since >= until => {
            Err(bad_parameter("from", "`from` is after `to`."))
        }
        _ => Ok((since, until)),
    }
}

/// Implements `Parameter` for a `text_enum`.
macro_rules! enum_parameters {
    ($($name:ty),+) => {
        $(impl $crate::filter_params::Parameter for $name {
            const VALUES: &[&str] = {
                const VALUES: [&str; <$name>::ALL.len()] = {
                    let mut values = [""; <$name>::ALL.len()];
                    let mut at = 0;
                    while at < values.len() {
                        values[at] = <$name>::ALL[at].as_str();
                        at += 1;
                    }
                    values
                };
                &VALUES
            };

            fn parse(text: &str) -> Option<Self> {
                Self::parse(text)
            }
        })+
    };
}
pub(crate) use enum_parameters;

/// Declares the parameters of a list: the description and the type of each.
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        struct $name:ident { $($(#[doc = $text:literal])+ $field:ident: $type:ty,)+ }
    ) => {
        $(#[$meta])*
        struct $name { $($(#[doc = $text])+ $field: Option<$type>,)+ }

        impl $name {
            /// Errors: 400 that names the parameter.
            fn read(
                params: &$crate::filter_params::FilterParams,
            ) -> Result<Self, http::request::problem::Problem> {
                Ok(Self { $($field: params.get(stringify!($field))?,)+ })
            }

            /// Adds the parameters to a call of the API description.
            fn describe(spec: &mut serde_json::Value, path: &str) {
                use $crate::filter_params::Parameter;
                let parameters = [$((
                    stringify!($field),
                    concat!($($text),+),
                    <$type as Parameter>::VALUES,
                )),+];
                $crate::filter_params::describe(spec, path, &parameters);
            }
        }
    };
}
pub(crate) use parameters;

/// Adds parameters to a call of the API description, before its others: of each the name, the
/// description and the values, if they are few.
pub fn describe(spec: &mut Value, path: &str, parameters: &[(&str, &str, &[&str])]) {
    let Some(described) = spec["paths"][path]["get"]["parameters"].as_array_mut() else {
        return;
    };
    let filters = parameters.iter().map(|(name, description, values)| {
        let mut schema = json!({ "type": "string" });
        if !values.is_empty() {
            schema["enum"] = json!(values);
        }
        json!({
            "name": name,
            "schema": schema,
            "in": "query",
            "description": description.trim(),
            "required": false,
            "deprecated": false,
            "explode": true,
        })
    });
    described.splice(0..0, filters);
}
