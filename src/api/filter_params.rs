//! The parameters of a query string that select what a call lists.

use std::collections::HashMap;

use poem::http::StatusCode;
use poem::{FromRequest, Request, RequestBody};
use serde_json::{Value, json};

use domain::clock::Time;
use domain::clock::time_zone::TimeZone;
use http::request::problem::Problem;

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
    /// The words to search for.
    pub fn search(&self) -> String {
        self.0.get("q").cloned().unwrap_or_default()
    }

    /// The times from the start of the day `from` to the end of the day `to`. Errors: 400.
    pub fn days(&self, zone: &TimeZone) -> Result<(Option<Time>, Option<Time>), Problem> {
        let since = self.get("from", "`from` is a day, as in 2026-11-21.", |day| {
            zone.start_of_day(day)
        })?;
        let until = self.get("to", "`to` is a day, as in 2026-11-21.", |day| {
            zone.end_of_day(day)
        })?;
        match since.zip(until) {
            Some((since, until)) if since >= until => {
                Err(bad_parameter("from", "`from` is after `to`."))
            }
            _ => Ok((since, until)),
        }
    }

    /// The parameter as it is.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// True or false. Errors: 400 that names the parameter.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, Problem> {
        let detail = format!("`{name}` is true or false.");
        self.get(name, &detail, |text| text.parse().ok())
    }

    /// The value of a parameter. `detail` is the message for a value that `parse` rejects.
    pub fn get<T>(
        &self,
        name: &str,
        detail: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.0.get(name) else {
            return Ok(None);
        };
        let value = parse(text);
        value.map(Some).ok_or_else(|| bad_parameter(name, detail))
    }
}

/// 400 that names a parameter.
pub fn bad_parameter(name: &str, detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, detail).with_field(name)
}

/// Adds parameters with their descriptions to a call of the API description, before its others.
pub fn describe(spec: &mut Value, path: &str, parameters: &[(&str, &str)]) {
    let Some(described) = spec["paths"][path]["get"]["parameters"].as_array_mut() else {
        return;
    };
    let filters = parameters.iter().map(|(name, description)| {
        json!({
            "name": name,
            "schema": { "type": "string" },
            "in": "query",
            "description": description,
            "required": false,
            "deprecated": false,
            "explode": true,
        })
    });
    described.splice(0..0, filters);
}
