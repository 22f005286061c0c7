//! `[company]`

use config::Company;

use crate::support::app::TestApp;

#[tokio::test]
async fn every_company_fact_is_shown() {
    let facts = [
        ("name", "Nightwatch Partners"),
        ("legal_name", "Nightwatch Holding LLC"),
        ("phone", "(832) 555-0177"),
        ("email", "desk@nightwatch.example"),
        ("media_email", "press@nightwatch.example"),
        ("street", "77 Harbor Lane"),
        ("city", "Springfield Bay"),
        ("region", "QX"),
        ("postal_code", "99123"),
        ("hours", "Weekdays from noon"),
    ];
    let shipped = visible_html(&TestApp::start().await).await;
    let settings: String = facts
        .map(|(key, value)| format!("{key} = {value:?}\n"))
        .concat();
    let company: Company = toml::from_str(&settings).unwrap();
    let app = TestApp::with(|config| config.company = company).await;
    let changed = visible_html(&app).await;
    for (key, value) in facts {
        assert!(changed.contains(value), "{key} is not shown");
        assert!(!shipped.contains(value), "{key} is shown as shipped");
    }
}

/// The visible HTML of two pages, without the JSON block for scripts.
async fn visible_html(app: &TestApp) -> String {
    let mut shown = String::new();
    for path in ["/", "/contact"] {
        let page = app.http.get(app.url(path)).send().await.unwrap();
        let page = page.text().await.unwrap();
        let (before, rest) = page
            .split_once(r#"<script type="application/json" id="company">"#)
            .unwrap();
        shown += before;
        shown += rest.split_once("</script>").unwrap().1;
    }
    shown
}
