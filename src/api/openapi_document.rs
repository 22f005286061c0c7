//! Builds the OpenAPI 3.0 document that is committed and served.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::{inbox, offers};
use domain::webhook::{API_VERSION, EVENTS};

/// Schemas whose absent values are left out; those of others are null.
const WITHOUT_NULL: [&str; 15] = [
    "Attribution",
    "AuthErrorBody",
    "Escalated",
    "Factor",
    "Identity",
    "LinkResponse",
    "Message",
    "Moved",
    "Noted",
    "OwnSession",
    "Problem",
    "Session",
    "Settled",
    "User",
    "UserPage",
];

/// The description of the storage service.
const STORAGE: &str = include_str!("storage/openapi.json");

/// The templates of the storage service's routes, each with one of its methods.
pub fn storage_routes() -> impl Iterator<Item = (String, String)> {
    #[derive(Default, Deserialize)]
    struct Storage {
        paths: BTreeMap<String, BTreeMap<String, IgnoredAny>>,
    }
    let storage: Storage = serde_json::from_str(STORAGE).unwrap_or_default();
    let routes = |(path, calls): (String, BTreeMap<String, _>)| {
        let methods = calls.into_keys();
        methods.map(move |method| (path.clone(), method))
    };
    storage.paths.into_iter().flat_map(routes)
}

/// The framework's document with the storage service, the parameters that calls share, and
/// `nullable`.
pub fn build(spec: &str) -> String {
    let Ok(mut spec) = serde_json::from_str::<Value>(spec) else {
        return spec.to_owned();
    };
    if let Some(schemas) = spec["components"]["schemas"].as_object_mut() {
        let with_null = schemas.iter_mut();
        let with_null = with_null.filter(|(name, _)| !WITHOUT_NULL.contains(&name.as_str()));
        with_null.for_each(|(_, schema)| mark_nullable(schema));
    }
    inbox::describe_parameters(&mut spec);
    offers::describe_parameters(&mut spec);
    add_storage(&mut spec);
    serde_json::to_string_pretty(&spec).unwrap_or_default()
}

/// The description of the webhooks, in OpenAPI 3.1: the version of the rest has no webhooks.
/// Requests are those of the API.
pub fn webhooks() -> String {
    let text = json!({ "type": "string" });
    let body = |event: &str| {
        json!({
            "type": "object",
            "required": ["type", "timestamp", "api_version", "data"],
            "properties": {
                "type": { "const": event },
                "timestamp": { "type": "string", "format": "date-time" },
                "api_version": { "const": API_VERSION },
                "data": {
                    "type": "object",
                    "required": ["request"],
                    "properties": {
                        "request": { "anyOf": [
                            { "$ref": "/api/openapi.json#/components/schemas/RequestItem" },
                            { "type": "null" },
                        ] },
                        "detail": { "type": "object" },
                    },
                },
            },
        })
    };
    let header = |name: &str, description: &str| {
        json!({ "name": name, "in": "header", "required": true, "description": description,
            "schema": text })
    };
    let headers = json!([
        header("webhook-id", "The same in each attempt."),
        header("webhook-timestamp", "Seconds since 1970."),
        header(
            "webhook-signature",
            "`v1,…` of Standard Webhooks; two after a rotation."
        ),
    ]);
    let webhooks = EVENTS.iter().map(|(event, title)| {
        let post = json!({
            "summary": title,
            "parameters": headers,
            "requestBody": { "required": true,
                "content": { "application/json": { "schema": body(event) } } },
            "responses": { "2XX": { "description": "Received." } },
        });
        ((*event).to_owned(), json!({ "post": post }))
    });
    let document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Guardpost webhooks", "version": env!("CARGO_PKG_VERSION") },
        "webhooks": webhooks.collect::<serde_json::Map<_, _>>(),
    });
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// Adds the storage service: its keys contain slashes, so its routes are not those of the
/// framework.
fn add_storage(spec: &mut Value) {
    let Ok(mut storage) = serde_json::from_str::<Value>(STORAGE) else {
        return;
    };
    if let (Some(tags), Some(more)) = (spec["tags"].as_array_mut(), storage["tags"].as_array_mut())
    {
        tags.append(more);
    }
    for (part, target) in [
        ("paths", &["paths"][..]),
        ("schemas", &["components", "schemas"]),
    ] {
        let target = target.iter().fold(&mut *spec, |at, key| &mut at[*key]);
        let more = storage[part].as_object_mut();
        if let (Some(target), Some(more)) = (target.as_object_mut(), more) {
            target.append(more);
        }
    }
}

/// Marks the members of a schema that may be null: poem-openapi only marks them optional.
fn mark_nullable(schema: &mut Value) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema.get_mut("properties");
    let Some(properties) = properties.and_then(Value::as_object_mut) else {
        return;
    };
    for (name, property) in properties {
        if required.contains(&json!(name)) || property.get("default").is_some() {
            continue;
        }
        // OpenAPI 3.0 ignores siblings of `$ref`.
        if let Some(reference) = property.get("$ref").cloned() {
            *property = json!({ "allOf": [{ "$ref": reference }] });
        }
        property["nullable"] = true.into();
    }
}
