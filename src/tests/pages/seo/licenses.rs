//! Licenses of the company: what the pages show before and after they expire, and the warnings.

use config::Config;
use serde_json::{Value, json};

use super::body;
use super::structured_data::graph;
use crate::support::app::TestApp;

const DAY: i64 = 86_400_000;

/// The last valid day is 45 days after the start of the test, January 5, 2027.
fn with_license(config: &mut Config) {
    let license = r#"TX = { number = "B-99887766", holder = "West LLC", expires = "2027-01-05" }
        OH = "2026-4711""#;
    config.company.licenses = toml::from_str(license).unwrap();
}

/// The page without the facts for scripts.
async fn visible(app: &TestApp, path: &str) -> String {
    let page = body(app, path).await;
    let (before, rest) = page
        .split_once(r#"<script type="application/json" id="company">"#)
        .unwrap();
    before.to_owned() + rest.split_once("</script>").unwrap().1
}

fn certifications(page: &str) -> Vec<Value> {
    let company = &graph(page)[0];
    let certifications = company["hasCertification"].as_array();
    certifications.cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_license_stands_first_on_its_state_page_in_the_table_and_in_structured_data() {
    let app = TestApp::with(with_license).await;
    let texas = visible(&app, "/states/texas").await;
    let main = texas.split_once("<main").unwrap().1;
    let first_facts = main.split_once("<h2").unwrap().0;
    assert!(first_facts.contains("License B-99887766"), "{first_facts}");
    assert!(main.contains("Held by West LLC"));
    assert!(main.contains("Valid through January 5, 2027"));
    assert!(main.contains("https://tops.portal.texas.gov/"));
    let certification = &certifications(&texas)[0];
    assert_eq!(certification["certificationIdentification"], "B-99887766");
    assert_eq!(certification["validIn"]["name"], "Texas");
    assert!(!visible(&app, "/states/utah").await.contains("B-99887766"));

    let table = visible(&app, "/licensing").await;
    let rows = table.split_once("<table").unwrap().1;
    assert!(rows.contains("B-99887766") && rows.contains("through January 5, 2027"));
    assert!(rows.contains("2026-4711") && rows.contains("Guardpost Security Services LLC"));
    assert_eq!(certifications(&table).len(), 2);
}

#[tokio::test]
async fn an_expired_license_takes_its_number_and_the_claim_off_the_pages_without_a_restart() {
    let app = TestApp::with(with_license).await;
    let claim = "licensed and insured";
    app.clock.advance(45 * DAY);
    assert!(app.renew_pages().await, "another day");
    assert!(!app.renew_pages().await, "the same day");
    let texas = visible(&app, "/states/texas").await;
    assert!(
        texas.contains("B-99887766") && texas.contains(claim),
        "its last day"
    );
    app.clock.advance(DAY);
    assert!(app.renew_pages().await);
    for path in ["/states/texas", "/licensing"] {
        assert!(!body(&app, path).await.contains("B-99887766"), "{path}");
    }
    assert!(!body(&app, "/states/texas").await.contains(claim));
    assert!(body(&app, "/states/ohio").await.contains(claim));
}

#[tokio::test]
async fn a_license_is_valid_and_calls_count_to_the_end_of_the_day_on_the_office_clock() {
    // A minute before midnight in Houston.
    let app = TestApp::starting("2027-01-06T05:59:00.000Z", with_license).await;
    let shown = async || visible(&app, "/states/texas").await.contains("B-99887766");
    let token = app.admin().await.access_token;
    let problems = async || {
        let system = app.http.get(app.url("/api/admin/system"));
        system
            .bearer_auth(&token)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap()
    };
    assert!(shown().await);
    assert!(problems().await.contains("B-99887766 expires today"));
    let tap = app.http.post(app.url("/api/taps"));
    tap.json(&json!({ "page": "/" })).send().await.unwrap();
    assert_eq!(app.rows("taps WHERE day = '2027-01-05'").await, 1);
    app.clock.advance(60_000);
    assert!(app.renew_pages().await, "another day");
    assert!(!shown().await);
    assert!(problems().await.contains("B-99887766 expired"));
}

#[tokio::test]
async fn a_state_without_licenses_says_so_instead_of_claiming_one() {
    let app = TestApp::start().await;
    let wyoming = body(&app, "/states/wyoming").await;
    assert!(wyoming.contains("insured; no state license exists"));
    assert!(!wyoming.contains("licensed and insured"));
    assert!(
        body(&app, "/states/texas")
            .await
            .contains("licensed and insured")
    );
}

#[tokio::test]
async fn the_office_is_warned_once_at_each_step_also_across_restarts() {
    let mut app = TestApp::with(with_license).await;
    let mut warned = Vec::new();
    for day in 0..50 {
        let queued = app.warn_of_licenses().await;
        warned.extend((queued > 0).then_some(45 - day));
        if day == 20 {
            app.restart().await;
        }
        assert_eq!(app.warn_of_licenses().await, 0, "the same day");
        app.clock.advance(DAY);
    }
    assert_eq!(warned, [45, 30, 14, 7, 1, -1]);
    app.run_outbox().await;
    let subjects: Vec<_> = app.mailbox().into_iter().map(|mail| mail.subject).collect();
    assert_eq!(subjects.len(), 6);
    assert!(subjects.contains(&"Our Texas license expires in 45 days: B-99887766".to_owned()));
    assert!(subjects.contains(&"Our Texas license expires tomorrow: B-99887766".to_owned()));
    assert!(subjects.contains(&"Our Texas license has expired: B-99887766".to_owned()));
}

#[tokio::test]
async fn samples_are_marked_on_the_own_host_and_never_shown_in_public() {
    let sample = [
        "Brackwater Terminals",
        "Dana Whitlock",
        "Company news",
        "See what is still a sample",
    ];
    let local = TestApp::start().await;
    let page = visible(&local, "/").await;
    for text in sample {
        assert!(page.contains(text), "{text}");
    }
    let public =
        TestApp::with(|config| config.server.base_url = "https://guard.example".into()).await;
    let page = body(&public, "/").await;
    for text in sample {
        assert!(!page.contains(text), "{text}");
    }
    for id in ["clients", "testimonials", "news"] {
        assert!(!page.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    assert!(page.contains("Frequently asked questions"));
    for path in ["/about", "/insurance", "/states/ohio"] {
        let facts = ["$1 million per occurrence", "2009, in Houston"];
        let page = visible(&local, path).await;
        assert!(facts.iter().all(|fact| page.contains(fact)), "{path}");
        assert_eq!(
            page.contains("OH 0000000 (a sample)"),
            path == "/states/ohio"
        );
        let page = body(&public, path).await;
        assert!(!facts.iter().any(|fact| page.contains(fact)), "{path}");
        let license = match path {
            "/states/ohio" => "On your quote and in your agreement",
            _ => "Our number in your state",
        };
        assert!(page.contains(license), "{path}");
        assert!(!page.contains("OH 0000000"), "{path}");
    }
}

#[tokio::test]
async fn a_state_page_shows_its_own_figures_in_public_only_once_they_are_confirmed() {
    let local = TestApp::start().await;
    let ohio = visible(&local, "/states/ohio").await;
    assert!(ohio.contains("happy clients") && ohio.contains("years serving Ohio"));
    assert!(!ohio.contains("client locations a year"));
    let public =
        TestApp::with(|config| config.server.base_url = "https://guard.example".into()).await;
    let ohio = visible(&public, "/states/ohio").await;
    assert!(!ohio.contains("happy clients") && !ohio.contains("years serving Ohio"));
    assert!(ohio.contains("<strong>1,000+</strong> <span>client locations a year</span>"));
    assert!(ohio.contains("<strong>15+</strong> <span>years in business</span>"));
}

#[tokio::test]
async fn the_licensing_page_lists_only_states_with_a_number_as_ours_and_says_what_is_renewed() {
    let app = TestApp::with(with_license).await;
    let rows = |page: &str| {
        let ours = page.split_once("Our license</th>").unwrap().1;
        let (ours, _) = ours.split_once("</table>").unwrap();
        ours.matches("<tr").count()
    };
    let page = visible(&app, "/licensing").await;
    assert_eq!(rows(&page), 2);
    assert!(!page.contains("Our license is being renewed"));
    app.clock.advance(46 * DAY);
    assert!(app.renew_pages().await);
    let page = visible(&app, "/licensing").await;
    assert_eq!(rows(&page), 1);
    assert_eq!(page.matches("Our license is being renewed").count(), 1);

    let none = visible(&TestApp::start().await, "/licensing").await;
    assert!(!none.contains("Our license</th>"));
    assert!(none.contains("Our license number for your state is on your quote"));
    for how in ["Ohio Department of Public Safety", "the clerk of courts"] {
        assert!(none.contains(how), "{how}");
    }
}
