//! Builds the OpenAPI 3.0 document that is committed and served.

use serde_json::{Value, json};

/// Schemas whose absent values are serialized as null: poem-openapi only marks them optional.
const NULLABLE_SCHEMAS: [&str; 2] = ["Quote", "QuotePage"];

/// The framework's document with `nullable` added.
pub fn build(spec: &str) -> String {
    let Ok(mut spec) = serde_json::from_str::<Value>(spec) else {
        return spec.to_owned();
    };
    for name in NULLABLE_SCHEMAS {
        mark_nullable(&mut spec["components"]["schemas"][name]);
    }
    serde_json::to_string_pretty(&spec).unwrap_or_default()
}

fn mark_nullable(schema: &mut Value) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(properties) = schema["properties"].as_object_mut() else {
        return;
    };
    for (_, property) in properties
        .iter_mut()
        .filter(|(name, _)| !required.contains(&json!(name)))
    {
        // OpenAPI 3.0 ignores siblings of `$ref`.
        if let Some(reference) = property.get("$ref").cloned() {
            *property = json!({ "allOf": [{ "$ref": reference }] });
        }
        property["nullable"] = true.into();
    }
}
