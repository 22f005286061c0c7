//! Access tokens: only valid tokens of this server are accepted.

use auth::sessions::access_token::{Claims, sign, verify};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::json;

use crate::support::app::TestApp;

#[tokio::test]
async fn a_valid_token_returns_its_user() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let answer = app.auth_get("/user", &member.access_token).await;
    assert_eq!(answer.headers["cache-control"], "no-store");
    let user = answer.ok();
    assert_eq!(user["id"], json!(member.id));
    assert_eq!(user["email"], "max@guard.example");
    assert_eq!(
        user["app_metadata"],
        json!({"provider": "email", "providers": ["email"]})
    );
    assert_eq!(user["identities"][0]["provider"], "email");
    for secret in ["password", "hash", "secret", "nonce"] {
        assert!(!user.to_string().contains(secret), "{secret} in {user}");
    }
}

#[tokio::test]
async fn a_token_has_four_parts_and_the_specified_claims() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let parts: Vec<&str> = member.access_token.split('.').collect();
    assert_eq!((parts.len(), parts[0], parts[1]), (4, "v4", "public"));
    let footer: serde_json::Value =
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts[3]).unwrap()).unwrap();
    assert!(footer["kid"].is_string());
    let now = app.clock.now();
    let claims = verify(
        &app.auth.keys().ring(now),
        &member.access_token,
        app.auth.issuer(),
        now,
    )
    .unwrap();
    assert_eq!(
        (claims.sub, claims.aud.as_str(), claims.role.as_str()),
        (member.id, "authenticated", "authenticated")
    );
    assert_eq!(claims.amr[0].method, "password");
    assert_eq!(claims.exp, now.plus_seconds(900).to_string());
}

#[tokio::test]
async fn calls_without_a_bearer_are_rejected() {
    let app = TestApp::start().await;
    let answer = app.auth_call(Method::GET, "/user", None, None).await;
    assert_eq!(answer.error(), (401, "no_authorization"));
    let basic = app
        .http
        .get(app.url("/auth/v1/user"))
        .header("authorization", "Basic YTpi")
        .send()
        .await
        .unwrap();
    assert_eq!(basic.status(), 401);
}

#[tokio::test]
async fn forged_foreign_tampered_and_expired_tokens_are_rejected() {
    let app = TestApp::start().await;
    let other = TestApp::start().await;
    let member = app.member().await;
    let now = app.clock.now();
    let ring = app.auth.keys().ring(now);
    let good = verify(&ring, &member.access_token, app.auth.issuer(), now).unwrap();
    let signed = |claims: &Claims| sign(&ring, claims, now).unwrap();
    let parts: Vec<&str> = member.access_token.split('.').collect();
    let mut bytes = URL_SAFE_NO_PAD.decode(parts[2]).unwrap();
    bytes[20] ^= 1;
    let tampered = format!("v4.public.{}.{}", URL_SAFE_NO_PAD.encode(&bytes), parts[3]);
    bytes[20] ^= 1;
    let end = bytes.len() - 1;
    bytes[end] ^= 1;
    let unsigned = format!("v4.public.{}.{}", URL_SAFE_NO_PAD.encode(&bytes), parts[3]);
    let jwt = |header: serde_json::Value, tail: &str| {
        let payload = json!({"sub": good.sub, "session_id": good.session_id,
            "aud": "authenticated", "role": "authenticated", "exp": 4_102_444_800_u64});
        format!(
            "{}.{}.{tail}",
            URL_SAFE_NO_PAD.encode(header.to_string()),
            URL_SAFE_NO_PAD.encode(payload.to_string())
        )
    };
    let foreign_ring = other.auth.keys().ring(now);
    for (why, token) in [
        ("tampered claims", tampered),
        ("a broken signature", unsigned),
        ("no footer", parts[..3].join(".")),
        (
            "another footer",
            format!(
                "{}.{}",
                parts[..3].join("."),
                URL_SAFE_NO_PAD.encode(r#"{"kid":"0000000000000000"}"#)
            ),
        ),
        ("a foreign key", sign(&foreign_ring, &good, now).unwrap()),
        (
            "another audience",
            signed(&Claims {
                aud: "somebody".into(),
                ..good.clone()
            }),
        ),
        (
            "another issuer",
            signed(&Claims {
                iss: "https://elsewhere.example/auth/v1".into(),
                ..good.clone()
            }),
        ),
        (
            "expired",
            signed(&Claims {
                exp: now.to_string(),
                ..good.clone()
            }),
        ),
        (
            "not yet valid",
            signed(&Claims {
                nbf: now.plus_seconds(60).to_string(),
                ..good.clone()
            }),
        ),
        (
            "an upper-case header",
            member.access_token.replace("v4.public", "V4.PUBLIC"),
        ),
        (
            "v4.local",
            member.access_token.replace("v4.public", "v4.local"),
        ),
        (
            "v2.public",
            member.access_token.replace("v4.public", "v2.public"),
        ),
        ("JWT none", jwt(json!({"alg": "none", "typ": "JWT"}), "")),
        (
            "JWT HS256",
            jwt(json!({"alg": "HS256", "typ": "JWT"}), "c2ln"),
        ),
        (
            "JWT EdDSA",
            jwt(
                json!({"alg": "EdDSA", "kid": ring.signing(now).kid}),
                "c2ln",
            ),
        ),
        ("noise", "noise".to_owned()),
    ] {
        let answer = app.auth_get("/user", &token).await;
        assert_eq!(answer.error(), (403, "bad_jwt"), "{why}");
    }
    app.clock.advance(900_000);
    assert_eq!(
        app.auth_get("/user", &member.access_token).await.error(),
        (403, "bad_jwt")
    );
}

#[tokio::test]
async fn a_token_is_invalid_once_its_session_or_its_user_is_gone() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let now = app.clock.now();
    let ring = app.auth.keys().ring(now);
    let good = verify(&ring, &member.access_token, app.auth.issuer(), now).unwrap();
    let nobody = Claims {
        sub: "01900000-0000-7000-8000-000000000000".into(),
        ..good.clone()
    };
    let answer = app
        .auth_get("/user", &sign(&ring, &nobody, now).unwrap())
        .await;
    assert_eq!(answer.error(), (403, "user_not_found"));
    app.join("eve@guard.example").await;
    let eve = app.sign_in("eve@guard.example").await;
    let borrowed = Claims {
        sub: eve.id,
        ..good
    };
    let answer = app
        .auth_get("/user", &sign(&ring, &borrowed, now).unwrap())
        .await;
    assert_eq!(
        answer.error(),
        (403, "session_not_found"),
        "another user's session"
    );
    let gone = app
        .auth_call(Method::POST, "/logout", Some(&member.access_token), None)
        .await;
    assert_eq!(gone.status, 204);
    assert_eq!(
        app.auth_get("/user", &member.access_token).await.error(),
        (403, "session_not_found")
    );
}

#[tokio::test]
async fn errors_have_the_format_of_the_clients_api_version() {
    let app = TestApp::start().await;
    for (version, new) in [
        (None, false),
        (Some("2023-12-31"), false),
        (Some("yesterday"), false),
        (Some("2024-01-01"), true),
        (Some("2026-01-01"), true),
    ] {
        let mut request = app.http.get(app.url("/auth/v1/user"));
        if let Some(version) = version {
            request = request.header("x-supabase-api-version", version);
        }
        let answer = request.send().await.unwrap();
        let echoed = answer.headers().get("x-supabase-api-version").cloned();
        let body: serde_json::Value = answer.json().await.unwrap();
        if new {
            assert_eq!(echoed.unwrap(), "2024-01-01");
            assert_eq!(body["code"], "no_authorization");
            assert!(body["message"].is_string());
        } else {
            assert_eq!(echoed, None);
            assert_eq!(
                (&body["code"], &body["error_code"]),
                (&json!(401), &json!("no_authorization"))
            );
            assert!(body["msg"].is_string());
        }
    }
}

#[tokio::test]
async fn bodies_must_be_json_objects_of_the_right_types_and_of_limited_size() {
    let app = TestApp::start().await;
    let path = "/token?grant_type=password";
    for body in [
        "{",
        "[]",
        "\"x\"",
        r#"{"email": 5}"#,
        r#"{"email": {"a": 1}}"#,
    ] {
        let answer = app
            .http
            .post(app.url(&format!("/auth/v1{path}")))
            .header("content-type", "application/json")
            .body(body)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 400, "{body}");
        let body: serde_json::Value = answer.json().await.unwrap();
        assert_eq!(body["error_code"], "bad_json");
    }
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let answer = app
            .http
            .post(app.url(&format!("/auth/v1{path}")))
            .header("content-type", kind)
            .body("email=a&password=b")
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 415, "{kind}");
    }
    let long = json!({"email": "a@b.example", "password": "x".repeat(1_100_000)});
    let answer = app.auth_post(path, long).await;
    assert_eq!(answer.error(), (413, "request_entity_too_large"));
    let unknown = app
        .auth_call(Method::GET, "/no/such/thing", None, None)
        .await;
    assert_eq!(unknown.status, 404);
    assert!(unknown.body["message"].is_string());
}
