use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use jsonwebtoken::jwk::{Jwk, KeyAlgorithm};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::{Error, Expected, verify};
use crate::providers::oidc::claims::IdentityClaims;
use domain::clock::Time;

const NOW: i64 = 1_795_230_000;
const ISSUER: &str = "https://accounts.example";

fn elliptic() -> EncodingKey {
    let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    EncodingKey::from_ec_der(key.to_pkcs8v1().unwrap().as_ref())
}

/// The inner key of a PKCS#8 document, whose header has 26 bytes at this size.
fn rsa() -> EncodingKey {
    let key = KeyPair::generate(KeySize::Rsa2048).unwrap();
    let der: aws_lc_rs::encoding::Pkcs8V1Der<'_> = key.as_der().unwrap();
    EncodingKey::from_rsa_der(&der.as_ref()[26..])
}

fn good() -> Value {
    json!({ "iss": ISSUER, "aud": "guardpost", "sub": "248289761001", "iat": NOW,
        "exp": NOW + 300,
        "email": "Ann@Example.com", "email_verified": true, "name": "Ann",
        "hd": "example.com" })
}

/// Valid claims with `changes` merged in; `null` removes a claim.
fn with(changes: Value) -> Value {
    let mut claims = good();
    for (key, value) in changes.as_object().unwrap() {
        claims[key] = value.clone();
    }
    claims
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    claims
}

fn check(
    claims: &Value,
    nonce: Option<&str>,
    access_token: Option<&str>,
) -> Result<IdentityClaims, Error> {
    let key = elliptic();
    let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), claims, &key).unwrap();
    let jwk = Jwk::from_encoding_key(&key, Algorithm::ES256).unwrap();
    verify_token(&token, &jwk, nonce, access_token)
}

fn verify_token(
    token: &str,
    jwk: &Jwk,
    nonce: Option<&str>,
    access_token: Option<&str>,
) -> Result<IdentityClaims, Error> {
    let client_ids = ["guardpost".to_owned(), "guardpost-app".to_owned()];
    let expected = Expected {
        issuer: ISSUER,
        client_ids: &client_ids,
        nonce,
        access_token,
    };
    verify(token, jwk, &expected, Time::from_millis(NOW * 1000)).map(|said| said.identity)
}

#[test]
fn a_critical_extension_is_refused() {
    let key = elliptic();
    let jwk = Jwk::from_encoding_key(&key, Algorithm::ES256).unwrap();
    for (crit, taken) in [
        (None, true),
        (Some(vec!["b64".to_owned()]), false),
        (Some(vec!["https://example.com/ext".to_owned()]), false),
        (Some(Vec::new()), false),
    ] {
        let header = Header {
            crit: crit.clone(),
            ..Header::new(Algorithm::ES256)
        };
        let token = jsonwebtoken::encode(&header, &good(), &key).unwrap();
        assert_eq!(
            verify_token(&token, &jwk, None, None).is_ok(),
            taken,
            "{crit:?}"
        );
    }
}

#[test]
fn a_token_is_remembered_until_it_is_refused_for_its_age() {
    let key = elliptic();
    let jwk = Jwk::from_encoding_key(&key, Algorithm::ES256).unwrap();
    let client_ids = ["guardpost".to_owned()];
    let expected = Expected {
        issuer: ISSUER,
        client_ids: &client_ids,
        nonce: None,
        access_token: None,
    };
    for exp in [json!(NOW + 300), json!(NOW as f64 + 0.5), json!(1e12)] {
        let claims = with(json!({ "exp": exp }));
        let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &key).unwrap();
        let at = |millis| verify(&token, &jwk, &expected, Time::from_millis(millis));
        let end = at(NOW * 1000).unwrap().expires_at;
        assert_eq!(at(end.millis()).is_err(), exp != json!(1e12), "{exp}");
        assert_eq!(end.to_string().len(), 24, "{exp}");
    }
}

#[test]
fn claims_that_are_not_for_us_and_for_now_are_refused() {
    for changes in [
        json!({ "iss": "https://other.example" }),
        json!({ "iss": "https://accounts.example/" }),
        json!({ "iss": null }),
        json!({ "aud": "another-client" }),
        json!({ "aud": null }),
        json!({ "aud": [] }),
        json!({ "aud": ["guardpost", "another-client"] }),
        json!({ "aud": ["guardpost", "another-client"], "azp": "another-client" }),
        json!({ "azp": "another-client" }),
        json!({ "exp": NOW - 60 }),
        json!({ "exp": null }),
        json!({ "iat": NOW + 61 }),
        json!({ "iat": null }),
        json!({ "nbf": NOW + 61 }),
        json!({ "sub": "" }),
        json!({ "sub": null }),
        json!({ "nonce": "anything" }),
    ] {
        assert!(
            matches!(
                check(&with(changes.clone()), None, None),
                Err(Error::InvalidToken(_))
            ),
            "{changes}"
        );
    }
    for changes in [
        json!({ "aud": "guardpost-app" }),
        json!({ "aud": ["guardpost", "another-client"], "azp": "guardpost" }),
        json!({ "exp": NOW - 59 }),
    ] {
        assert!(
            check(&with(changes.clone()), None, None).is_ok(),
            "{changes}"
        );
    }
}

#[test]
fn an_access_token_must_fit_its_hash() {
    // The example in OpenID Connect Core 1.0, appendix A.3.
    let claims = with(json!({ "at_hash": "77QmUPtjPfzWtF2AnpK9RQ" }));
    assert!(
        check(
            &claims,
            None,
            Some("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
        )
        .is_ok()
    );
    assert!(check(&claims, None, Some("another")).is_err());
    assert!(check(&claims, None, None).is_ok());
}

#[test]
fn the_algorithm_is_the_keys_and_not_the_headers() {
    let key = rsa();
    let mut jwk = Jwk::from_encoding_key(&key, Algorithm::RS256).unwrap();
    let by = |algorithm| jsonwebtoken::encode(&Header::new(algorithm), &good(), &key).unwrap();
    for named in [Some(KeyAlgorithm::RS256), None] {
        jwk.common.key_algorithm = named;
        assert!(verify_token(&by(Algorithm::RS256), &jwk, None, None).is_ok());
        for other in [Algorithm::RS384, Algorithm::RS512, Algorithm::PS256] {
            assert!(
                verify_token(&by(other), &jwk, None, None).is_err(),
                "{other:?}"
            );
        }
    }
}

#[test]
fn a_public_key_is_never_a_shared_secret() {
    let key = rsa();
    let mut jwk = Jwk::from_encoding_key(&key, Algorithm::RS256).unwrap();
    let public = serde_json::to_vec(&jwk).unwrap();
    let secret = EncodingKey::from_secret(&public);
    let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &good(), &secret).unwrap();
    assert!(verify_token(&token, &jwk, None, None).is_err());
    jwk.common.key_algorithm = Some(KeyAlgorithm::HS256);
    assert!(verify_token(&token, &jwk, None, None).is_err());
    let symmetric = Jwk::from_encoding_key(&secret, Algorithm::HS256).unwrap();
    assert!(verify_token(&token, &symmetric, None, None).is_err());
}
