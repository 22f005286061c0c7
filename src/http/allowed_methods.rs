//! The methods of each API path, for the `Allow` header of a 405 (RFC 9110, section 15.5.6).

use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};
use serde_json::Value;

/// The paths of the OpenAPI document, each with its methods as the value of `Allow`.
pub struct AllowedMethods(Vec<(String, HeaderValue)>);

impl AllowedMethods {
    /// Reads them from the OpenAPI document.
    pub fn from_openapi(description: &str) -> Self {
        let spec: Value = serde_json::from_str(description).unwrap_or_default();
        let paths = spec["paths"].as_object().into_iter().flatten();
        Self(
            paths
                .filter_map(|(path, calls)| Some((path.clone(), allow(calls)?)))
                .collect(),
        )
    }

    fn find(&self, path: &str) -> Option<&(String, HeaderValue)> {
        // An exact match takes precedence over a template.
        let exact = self.0.iter().find(|(template, _)| template == path);
        exact.or_else(|| self.0.iter().find(|(template, _)| matches(template, path)))
    }

    /// The route template that matches `path`.
    pub fn template(&self, path: &str) -> Option<&str> {
        self.find(path).map(|(template, _)| template.as_str())
    }

    /// Adds `Allow` to a 405 response for `path`.
    pub fn add_allow(&self, path: &str, response: &mut Response) {
        if response.status() == StatusCode::METHOD_NOT_ALLOWED
            && let Some((_, allow)) = self.find(path)
        {
            response.headers_mut().insert(header::ALLOW, allow.clone());
        }
    }
}

/// A route with `GET` also takes `HEAD`.
fn allow(calls: &Value) -> Option<HeaderValue> {
    let mut methods: Vec<String> = calls
        .as_object()?
        .keys()
        .map(|method| method.to_uppercase())
        .collect();
    if methods.iter().any(|method| method == "GET") {
        methods.push("HEAD".to_owned());
    }
    methods.sort();
    HeaderValue::from_str(&methods.join(", ")).ok()
}

/// Whether `path` matches a template such as `/api/admin/quotes/{id}`.
fn matches(template: &str, path: &str) -> bool {
    let (mut expected, mut actual) = (template.split('/'), path.split('/'));
    loop {
        match (expected.next(), actual.next()) {
            (None, None) => return true,
            (Some(part), Some(segment)) if part == segment || part.starts_with('{') => {}
            _ => return false,
        }
    }
}
