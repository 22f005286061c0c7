//! `guardpost seed-demo --year`: a year of a company, by the rules of the store.

use domain::clock::Clock;
use domain::clock::time_zone::TimeZone;
use domain::figures::period::Period;
use jiff::ToSpan;

use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

#[tokio::test]
async fn the_demo_year_equals_its_recount_and_has_work_of_today() {
    let app = TestApp::start().await;
    let cli = Cli::on_data_of(&app);
    let printed = cli.run_ok(&["seed-demo", "--year"]);
    assert!(printed.contains(" offers of a year in "), "{printed}");

    let now = Clock::system().now();
    let zone = TimeZone::parse(&app.config.company.time_zone).unwrap();
    let today = zone.local(now).date();
    let year = Period::between(today.saturating_sub(364.days()), today).unwrap();
    let figures = app.store.figures(year).await.unwrap();
    assert_eq!(figures, app.store.recount_figures(year).await.unwrap());
    let sums = &figures.now;
    for (measure, least) in [
        ("views", 20_000),
        ("forms_begun", 500),
        ("asked", 500),
        ("answered", 450),
        ("by_phone", 30),
        ("emergencies", 50),
        ("offers_sent", 150),
        ("offers_opened", 120),
        ("accepted_weekly_cents", 1),
        ("accepted_once_cents", 1),
        ("won", 80),
        ("lost", 150),
        ("spam", 30),
        ("duplicates", 5),
    ] {
        assert!(sums.total(measure) >= least, "{measure}: {sums:?}");
    }
    assert_eq!(sums.total("samples"), 0);
    for (dimension, least) in [
        ("service", 8),
        ("state", 6),
        ("source", 6),
        ("campaign", 4),
        ("person", 4),
        ("reason", 5),
    ] {
        assert!(sums.values(dimension).count() >= least, "{dimension}");
    }
    let late = sums.answers.total() - sums.answers.within(24 * 60);
    assert!(late > 0 && late < sums.answers.total() / 5, "{late} late");

    let to_do = app.store.to_do(now).await.unwrap();
    assert!(to_do.emergencies >= 1, "{to_do:?}");
    assert!(to_do.attention > to_do.emergencies, "{to_do:?}");
    assert!(to_do.offers_expiring >= 1, "{to_do:?}");
    assert!(to_do.offers_unconfirmed >= 1, "{to_do:?}");
    assert!(!to_do.has_sample_rates, "{to_do:?}");
    // Nothing is left that a server would send.
    assert_eq!(app.rows("outbox WHERE state <> 'sent'").await, 0);

    let refused = cli.run_err(&["seed-demo", "--year"]);
    assert!(
        refused.contains("this database holds requests"),
        "{refused}"
    );
}
