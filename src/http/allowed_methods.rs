//! Which methods each address of the API takes, so that a refused one is answered with the list (RFC 9110 section 15.5.6).

use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};
use serde_json::Value;

/// The addresses of the API description, each with its methods as they stand in `Allow`.
pub struct AllowedMethods(Vec<(String, HeaderValue)>);

impl AllowedMethods {
    /// Reads them from the API description.
    pub fn of(description: &str) -> Self {
        let spec: Value = serde_json::from_str(description).unwrap_or_default();
        let paths = spec["paths"].as_object().into_iter().flatten();
        Self(
            paths
                .filter_map(|(path, calls)| Some((path.clone(), allow(calls)?)))
                .collect(),
        )
    }

    fn at(&self, path: &str) -> Option<&(String, HeaderValue)> {
        // A path without parameters is itself, whatever template would fit as well.
        let exact = self.0.iter().find(|(template, _)| template == path);
        exact.or_else(|| self.0.iter().find(|(template, _)| fits(template, path)))
    }

    /// The template that `path` fits.
    pub fn template(&self, path: &str) -> Option<&str> {
        self.at(path).map(|(template, _)| template.as_str())
    }

    /// Adds `Allow` where `response` says that the method will not do at `path`.
    pub fn name(&self, path: &str, response: &mut Response) {
        if response.status() == StatusCode::METHOD_NOT_ALLOWED
            && let Some((_, allow)) = self.at(path)
        {
            response.headers_mut().insert(header::ALLOW, allow.clone());
        }
    }
}

/// `GET` brings `HEAD` along.
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

/// Whether a path is one of a template such as `/api/admin/quotes/{id}`.
fn fits(template: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(segment)) if part == segment || part.starts_with('{') => {}
            _ => return false,
        }
    }
}
