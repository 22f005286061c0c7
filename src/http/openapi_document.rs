//! The API description (OpenAPI 3.0) as it is committed and served.

use serde_json::{Value, json};

/// Answers whose absent values are said as null: the framework's descriptions know only "optional".
const WITH_NULLS: [&str; 2] = ["Quote", "QuotePage"];

/// The description the framework makes of the calls, with the nulls said.
pub fn of(spec: &str) -> String {
    let Ok(mut spec) = serde_json::from_str::<Value>(spec) else {
        return spec.to_owned();
    };
    for name in WITH_NULLS {
        say_nulls(&mut spec["components"]["schemas"][name]);
    }
    serde_json::to_string_pretty(&spec).unwrap_or_default()
}

fn say_nulls(schema: &mut Value) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(properties) = schema["properties"].as_object_mut() else {
        return;
    };
    for (_, property) in properties
        .iter_mut()
        .filter(|(name, _)| !required.contains(&json!(name)))
    {
        // Beside a reference OpenAPI 3.0 reads nothing.
        if let Some(reference) = property.get("$ref").cloned() {
            *property = json!({ "allOf": [{ "$ref": reference }] });
        }
        property["nullable"] = true.into();
    }
}
