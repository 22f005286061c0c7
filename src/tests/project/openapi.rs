//! The committed OpenAPI document matches the program, and every call is documented.

use serde_json::Value;

const COMMITTED: &str = include_str!("../golden/openapi.json");

#[test]
fn the_committed_document_matches_the_program() {
    let fresh = api::description();
    assert!(
        COMMITTED.trim() == fresh.trim(),
        "src/tests/golden/openapi.json is stale: run `just openapi`"
    );
}

#[test]
fn an_optimized_program_has_the_committed_document() {
    assert_eq!(api::committed_description(), COMMITTED);
}

#[test]
fn every_call_documents_its_purpose_and_responses() {
    let description: Value = serde_json::from_str(COMMITTED).unwrap();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() >= 20);
    for (path, calls) in paths {
        for (method, call) in calls.as_object().unwrap() {
            assert!(
                call["summary"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{method} {path} has no summary"
            );
            let answers = call["responses"].as_object().unwrap();
            assert!(
                answers.keys().any(|status| status.starts_with(['2', '3'])),
                "{method} {path} never succeeds"
            );
            // `limits.api_per_minute` applies to every call except the health checks.
            assert!(
                ["/healthz", "/readyz"].contains(&path.as_str())
                    || answers
                        .keys()
                        .any(|status| ["429", "4XX"].contains(&status.as_str())),
                "{method} {path} may answer 429 and does not say so"
            );
        }
    }
}
