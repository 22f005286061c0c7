//! Facts of the company in everything that is served.

use config::SsoDomain;

use super::{body, paths};
use crate::pages::get;
use crate::support::app::TestApp;

#[tokio::test]
async fn changed_company_details_appear_in_everything_that_is_served() {
    let app = TestApp::with(|config| {
        config.company.phone = "(832) 555-0199".into();
        config.company.name = "O'Neil & Sons <Security>".into();
        config.company.legal_name = "O'Neil LLC".into();
        config.company.email = "desk@oneil.example".into();
        config.company.media_email = "press@oneil.example".into();
        config.company.street = "1 Main Street".into();
        config.company.city = "Springfield".into();
        config.company.postal_code = "77990".into();
    })
    .await;
    let mut served = paths(&app).await;
    let others = [
        "/admin",
        "/llms.txt",
        "/quote?sent=1",
        "/quote?service=concierge",
        "/contact?sent=1",
    ];
    served.extend(others.map(str::to_owned));
    for path in served {
        let text = body(&app, &path).await;
        for old in [
            "555-0142",
            "7135550142",
            "Guardpost Security",
            "@guardpost.example",
            "Enclave Parkway",
            "77077",
        ] {
            assert!(!text.contains(old), "{path} still says {old}");
        }
        // Clients and states may be in Houston all the same.
        assert!(
            !["/about", "/contact", "/llms.txt"].contains(&path.as_str())
                || !text.contains("Houston"),
            "{path} still says Houston"
        );
        assert!(
            !text.contains("<Security>") || path.ends_with(".txt"),
            "{path}"
        );
        assert!(
            text.contains("555-0199") || text.contains("8325550199"),
            "{path}"
        );
    }
    let not_found = get(&app, "/nowhere").await;
    assert!(!not_found.text().await.unwrap().contains("555-0142"));
}

#[tokio::test]
async fn without_a_media_address_the_press_page_shows_the_office_address() {
    let app = TestApp::with(|config| config.company.media_email = String::new()).await;
    let home = body(&app, "/").await;
    assert!(home.contains(r#"Media contact: <a href="mailto:office@guardpost.example">"#));
    assert!(home.contains(r#""media_email":"office@guardpost.example""#));
}

#[tokio::test]
async fn the_company_sign_in_is_shown_only_if_it_is_configured() {
    let said = r#""sso":true"#;
    let app = TestApp::start().await;
    assert!(!body(&app, "/admin").await.contains(said));
    let provider = SsoDomain {
        domain: "acme.example".into(),
        provider: "acme".into(),
    };
    let app = TestApp::with(|config| config.auth.sso = vec![provider]).await;
    assert!(body(&app, "/admin").await.contains(said));
}

#[tokio::test]
async fn a_license_is_shown_only_if_it_is_configured() {
    let app = TestApp::with(|config| {
        config.company.licenses = [("TX".to_owned(), "B-99887766".into())].into();
    })
    .await;
    assert!(
        body(&app, "/states/texas")
            .await
            .matches("B-99887766")
            .count()
            >= 2,
        "shown, and in the facts"
    );
    let ohio = body(&app, "/states/ohio").await;
    assert_eq!(ohio.matches("B-99887766").count(), 1, "only in the facts");
    assert!(!ohio.contains(r#"data-if="company.licenses"#));
}
