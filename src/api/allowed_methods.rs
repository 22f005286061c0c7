//! The methods of each API path, for the `Allow` header of a 405 (RFC 9110, section 15.5.6).

use std::collections::{BTreeMap, BTreeSet};

use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};
use poem_openapi::{OpenApi, OpenApiService};

/// The route templates, each with its methods as the value of `Allow`.
pub struct AllowedMethods(Vec<(String, HeaderValue)>);

impl AllowedMethods {
    /// The methods of the service's calls and of `others`, pairs of a template and a method.
    pub fn of<T: OpenApi>(
        _service: &OpenApiService<T, ()>,
        others: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for path in T::meta().into_iter().flat_map(|api| api.paths) {
            let methods = path.operations.iter().map(|call| call.method.to_string());
            all.entry(path.path).or_default().extend(methods);
        }
        for (path, method) in others {
            all.entry(path).or_default().insert(method.to_uppercase());
        }
        let allow = |(path, methods)| Some((path, allow(methods)?));
        Self(all.into_iter().filter_map(allow).collect())
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
fn allow(mut methods: BTreeSet<String>) -> Option<HeaderValue> {
    if methods.contains("GET") {
        methods.insert("HEAD".to_owned());
    }
    let methods: Vec<String> = methods.into_iter().collect();
    HeaderValue::from_str(&methods.join(", ")).ok()
}

/// Whether `path` matches a template such as `/api/admin/quotes/{id}`. The key of a file is the rest
/// of a path.
fn matches(template: &str, path: &str) -> bool {
    let (mut expected, mut actual) = (template.split('/'), path.split('/'));
    loop {
        match (expected.next(), actual.next()) {
            (None, None) => return true,
            (Some("{key}"), Some(_)) => return true,
            (Some(part), Some(segment)) if part == segment || part.starts_with('{') => {}
            _ => return false,
        }
    }
}
