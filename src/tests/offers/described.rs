//! Drafts, prices and rates are what the API's description says of them.

use serde_json::{Value, json};

use super::Desk;

#[tokio::test]
async fn drafts_prices_and_rates_are_as_the_description_says() {
    let desk = Desk::with(|config| config.limits.api_per_minute = 10_000).await;
    let described = desk.app.http.get(desk.app.url("/api/openapi.json"));
    let described: Value = described.send().await.unwrap().json().await.unwrap();
    let schemas = &described["components"]["schemas"];
    let assert_fits = |name: &str, value: &Value| {
        assert!(fits(schemas, &schemas[name], value), "{name}: {value}");
    };
    let mut offer = desk.begun().await;
    let price = json!({ "draft": offer["draft"] });
    assert_fits("OfferPrice", &desk.post("/offers/price", price).await);
    assert_fits("RatesInForce", &desk.get("/rates").await);
    let cases = include_str!("../../../seeds/offers/cases.json");
    let cases: Value = serde_json::from_str(cases).unwrap();
    for card in cases["cards"].as_object().unwrap().values() {
        assert_fits("RateCard", card);
    }
    for case in cases["cases"].as_array().unwrap() {
        assert_fits("Terms", &case["terms"]);
        offer = desk.changed(&offer, "/terms", case["terms"].clone()).await;
        assert_fits("Offer", &offer);
    }
    offer["draft"]["terms"]["posts"][0]["schedule"]["kind"] = json!("monthly");
    assert!(!fits(schemas, &schemas["Offer"], &offer), "{offer}");
}

/// Whether a value is of a schema, which says what it is.
fn fits(schemas: &Value, schema: &Value, value: &Value) -> bool {
    let of = |schema: &Value| fits(schemas, schema, value);
    let list = |key: &str| schema[key].as_array().into_iter().flatten();
    // The other parts only describe.
    let is_typed = |part: &&Value| part["$ref"].is_string() || part["type"].is_string();
    if value.is_null() {
        return schema["nullable"] == true;
    }
    match schema["type"].as_str() {
        _ if schema["enum"].is_array() => list("enum").any(|one| one == value),
        _ if schema["anyOf"].is_array() => list("anyOf").any(of),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64(),
        Some("array") => value.as_array().is_some_and(|items| {
            let mut items = items.iter();
            items.all(|item| fits(schemas, &schema["items"], item))
        }),
        Some(_) => value.as_object().is_some_and(|members| {
            let mut required = list("required").filter_map(Value::as_str);
            required.all(|name| members.contains_key(name))
                && members.iter().all(|(name, member)| {
                    let own = schema["properties"].get(name);
                    let schema = own.or(schema.get("additionalProperties"));
                    schema.is_none_or(|schema| fits(schemas, schema, member))
                })
        }),
        None => match schema["$ref"].as_str() {
            Some(path) => of(&schemas[path.rsplit('/').next().unwrap()]),
            None => {
                list("allOf").any(|part| is_typed(&part)) && list("allOf").filter(is_typed).all(of)
            }
        },
    }
}
