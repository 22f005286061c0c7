//! `guardpost seed-demo --year`: a year of a company, by the rules of the store.

use std::collections::BTreeMap;

use domain::clock::Clock;
use domain::clock::time_zone::TimeZone;
use domain::figures::period::Period;
use domain::request::due_time::AnswerTimes;
use jiff::ToSpan;
use serde::Deserialize;
use serde_json::Value;
use store::installation::inspection::inspect;

use super::{Owner, number};
use crate::support::cli_process::Cli;

/// A figure and the call of the list to which the page of figures leads from it: a file that a test
/// of the page compares with its links. `VALUE` is the value of any row that has one.
#[derive(Deserialize)]
struct List {
    table: String,
    value: String,
    column: String,
    call: String,
}

const LISTS: &str = include_str!("../../../../frontend/src/admin/figures/lists.json");

#[tokio::test]
async fn the_demo_year_equals_its_lists_and_has_work_of_today() {
    let owner = Owner::open().await;
    let app = &owner.app;
    let cli = Cli::on_data_of(app);
    let printed = cli.run_ok(&["seed-demo", "--year"]);
    assert!(printed.contains(" offers of a year in "), "{printed}");

    let now = Clock::system().now();
    let zone = TimeZone::parse(&app.config.company.time_zone).unwrap();
    let today = zone.local(now).date();
    let year = Period::between(today.saturating_sub(364.days()), today).unwrap();
    let figures = app.store.figures(year).await.unwrap();
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

    let to_do = app
        .store
        .to_do(AnswerTimes::new(24, 30), now)
        .await
        .unwrap();
    assert!(to_do.emergencies >= 1, "{to_do:?}");
    assert!(to_do.overdue >= 1 && to_do.others >= 1, "{to_do:?}");
    assert!(to_do.offers_expiring >= 1, "{to_do:?}");
    assert!(to_do.offers_unconfirmed >= 1, "{to_do:?}");
    assert!(!to_do.has_sample_rates, "{to_do:?}");
    owner.check_lists(year).await;
    // What waits is what the history of each request says.
    let found = inspect(&app.folder.path().join("guardpost.db"), || false);
    assert_eq!(found.differing_waits, Vec::<String>::new());
    // Nothing is left that a server would send.
    assert_eq!(app.rows("outbox WHERE state <> 'sent'").await, 0);

    let refused = cli.run_err(&["seed-demo", "--year"]);
    assert!(
        refused.contains("this database holds requests"),
        "{refused}"
    );
}

impl Owner {
    /// Each figure that leads to a list equals what that list has.
    async fn check_lists(&self, year: Period) {
        let (from, to) = (year.days.from.to_string(), year.days.to.to_string());
        let (_, figures) = self.get(&format!("?from={from}&to={to}")).await;
        let figures: Value = serde_json::from_str(&figures).unwrap();
        let lists: Vec<List> = serde_json::from_str(LISTS).unwrap();
        let mut sums: BTreeMap<_, i64> = BTreeMap::new();
        for list in &lists {
            let List { table, column, .. } = list;
            for value in rows(&figures, list) {
                let day = (table == "days").then_some(value.as_str());
                let call = list.call.replace("FROM", day.unwrap_or(&from));
                let call = call.replace("UNTIL", day.unwrap_or(&to));
                let encoded = serde_urlencoded::to_string([("", &value)]).unwrap();
                let call = call.replace("VALUE", &encoded[1..]);
                let figure = number(&figures, table, &value, column);
                let figure = figure.as_i64().unwrap_or_default();
                let measure = match table.as_str() {
                    "totals" => &value,
                    _ => column,
                };
                let listed = match call.starts_with("/offers") {
                    true => self.offers(&call, measure).await,
                    false => self.requests(&call, measure).await,
                };
                assert_eq!(listed, figure, "{table} {value} {column}: {call}");
                *sums.entry((table, column, &list.value)).or_default() += figure;
            }
        }
        for (list, sum) in sums {
            // All customers of the year are known by their sources, and have a reason.
            let is_rare = list.2.is_empty();
            assert!(is_rare || sum > 0, "{list:?}");
        }
    }

    async fn list(&self, call: &str) -> Value {
        let url = self.app.url(&format!("/api/admin{call}"));
        let request = self.app.http.get(url).bearer_auth(&self.ada.access_token);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{call}");
        response.json().await.unwrap()
    }

    /// The number of requests of a list, or the sum of their values in cents.
    async fn requests(&self, call: &str, measure: &str) -> i64 {
        let mut page = self.list(&format!("{call}&limit=200")).await;
        let counts = page["counts"].as_object().unwrap().values();
        let counted: i64 = counts.filter_map(Value::as_i64).sum();
        if !measure.ends_with("_cents") {
            return counted;
        }
        let (mut length, mut cents) = (0, 0);
        loop {
            for request in page["requests"].as_array().unwrap() {
                let value = request["outcome"]["value"].as_str().unwrap();
                cents += value.replace('.', "").parse::<i64>().unwrap();
                length += 1;
            }
            let Some(cursor) = page["next_cursor"].as_str() else {
                break;
            };
            page = self
                .list(&format!("{call}&limit=200&cursor={cursor}"))
                .await;
        }
        assert_eq!(length, counted, "{call}");
        cents
    }

    /// The number of offers of a list, or the sum of their values in cents.
    async fn offers(&self, call: &str, measure: &str) -> i64 {
        let mut found = 0;
        loop {
            let page = self.list(&format!("{call}&skip={found}")).await;
            let totals = &page["totals"];
            match measure {
                "accepted_weekly_cents" => return totals["weekly_cents"].as_i64().unwrap(),
                "accepted_once_cents" => return totals["term_cents"].as_i64().unwrap(),
                _ => found += page["offers"].as_array().unwrap().len() as i64,
            }
            if page["has_more"] == false {
                return found;
            }
        }
    }
}

/// The values of the rows that this list is of; of the days, the last thirty.
fn rows(figures: &Value, list: &List) -> Vec<String> {
    let tables = figures["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["key"] == list.table);
    let rows = table.unwrap()["rows"].as_array().unwrap().iter();
    let values = rows.map(|row| row["value"].as_str().unwrap().to_owned());
    let values = values.filter(|value| match list.value.as_str() {
        "VALUE" => !value.is_empty(),
        known => value == known,
    });
    let mut values: Vec<_> = values.collect();
    if list.table == "days" {
        values.reverse();
        values.truncate(30);
    }
    values
}
