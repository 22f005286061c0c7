//! Figures equal a count of the rows, whatever happens to requests in a year.

use std::collections::BTreeMap;

use domain::clock::time_zone::TimeZone;
use domain::clock::{HOUR_MS, MINUTE_MS, Time};
use domain::figures::period::Period;
use domain::figures::tables::Figures;
use domain::form::Forms;
use domain::request::RequestKind;
use domain::request::edited::RequestEdit;
use domain::request::outcome::Outcome;
use domain::request::quote::{NewQuote, Status};
use domain::spam::{Agent, Assessment, Texts, Visit, assess};
use proptest::collection::vec;
use proptest::prelude::*;
use store::person::ALWAYS;
use store::{
    Actor, CallOutcome, Correction, Error, NewOutcome, OutcomeValue, RequestUpdate, Store,
    Submission, Submitted,
};

/// A year with the changes of the clocks on March 8 and November 1.
const START: &str = "2026-02-20T12:00:00.000Z";

/// What happens to one of the requests, after a time.
#[derive(Clone, Debug)]
enum Step {
    Ask {
        state: usize,
        is_emergency: bool,
        is_spam: bool,
    },
    Reach,
    Move(Status),
    Outcome {
        is_won: bool,
        cents: i64,
        is_monthly: bool,
    },
    Undo,
    Reopen,
    Merge(usize),
    Separate(usize),
    MarkSpam,
    Release,
    Edit(usize),
    Erase,
}

const PLACES: [&str; 4] = ["Houston, TX", "Miami, Florida", "nowhere", "Boise, ID"];

fn step() -> impl Strategy<Value = Step> {
    let status = prop_oneof![
        Just(Status::InProgress),
        Just(Status::Completed),
        Just(Status::Cancelled)
    ];
    prop_oneof![
        6 => (0..4_usize, any::<bool>(), 0..4).prop_map(|(state, is_emergency, spam)| Step::Ask {
            state, is_emergency, is_spam: spam == 0
        }),
        3 => Just(Step::Reach),
        4 => status.prop_map(Step::Move),
        3 => (any::<bool>(), 1..1_000_000_i64, any::<bool>()).prop_map(
            |(is_won, cents, is_monthly)| Step::Outcome { is_won, cents, is_monthly }
        ),
        3 => Just(Step::Undo),
        1 => Just(Step::Reopen),
        2 => (0..20_usize).prop_map(Step::Merge),
        1 => (0..20_usize).prop_map(Step::Separate),
        1 => Just(Step::MarkSpam),
        1 => Just(Step::Release),
        1 => (0..4_usize).prop_map(Step::Edit),
        1 => Just(Step::Erase),
    ]
}

/// A database with the ids of its requests, in the order of their receipt.
struct Year {
    store: Store,
    zone: TimeZone,
    forms: Forms,
    now: Time,
    ids: Vec<String>,
    /// What was erased, by day and state: asked, spam, duplicates, answered, won.
    erased: BTreeMap<String, [i64; 5]>,
}

fn by() -> Actor {
    Actor {
        user_id: "ada".into(),
        client: "desk".into(),
    }
}

impl Year {
    fn open(folder: &std::path::Path) -> Self {
        Self {
            store: Store::open(&folder.join("guardpost.db")).unwrap(),
            zone: TimeZone::parse("America/Chicago").unwrap(),
            forms: Forms::bundled().unwrap(),
            now: Time::parse(START).unwrap(),
            ids: Vec::new(),
            erased: BTreeMap::new(),
        }
    }

    async fn ask(&mut self, state: usize, is_emergency: bool, is_spam: bool) {
        let email = format!("visitor{}@house.example", self.ids.len());
        let text = format!(
            "{} {}",
            self.ids.len(),
            if is_spam {
                "http://a.example http://b.example"
            } else {
                ""
            }
        );
        let start = self.now.day();
        let value = |key: &str| match key {
            "first_name" | "last_name" => Some("Ana"),
            "email" => Some(email.as_str()),
            "phone" => Some("713-555-0177"),
            "service_type" => Some("fire-watch"),
            "start_date" => Some(start.as_str()),
            "duration" => Some("1-week"),
            "location" => Some(PLACES[state]),
            "description" => Some("Guards"),
            "emergency_contact" => is_emergency.then_some("true"),
            _ => None,
        };
        let quote = NewQuote::parse(&self.forms.quote, value, None, "").unwrap();
        let visit = Visit {
            trap_filled: true,
            agent: Agent::Program,
            ..Visit::default()
        };
        let texts = Texts {
            first_name: "Ana",
            last_name: "Ana",
            email: &email,
            message: &text,
            ..Texts::default()
        };
        let spam = match is_spam {
            true => Assessment {
                is_urgent: is_emergency,
                ..assess(&texts, visit)
            },
            false => Assessment::default(),
        };
        let submission = Submission {
            client: email.clone(),
            site: None,
            key: None,
            fingerprint: email.clone(),
            max: 3,
            window_ms: 1000,
            spam,
        };
        let stored = self
            .store
            .submit_quote(quote, submission, self.now)
            .await
            .unwrap();
        let Submitted::Stored(receipt) = stored else {
            panic!("{stored:?}");
        };
        self.ids.push(receipt.id);
    }

    /// Takes the step with the request at `target`; one that is refused changes nothing.
    async fn take(&mut self, step: Step, target: usize) {
        if let Step::Ask {
            state,
            is_emergency,
            is_spam,
        } = step
        {
            return self.ask(state, is_emergency, is_spam).await;
        }
        if self.ids.is_empty() {
            return;
        }
        let (store, now) = (&self.store, self.now);
        let at = |target: usize| self.ids[target % self.ids.len()].clone();
        let id = at(target);
        let refused = |error| match error {
            Error::Missing | Error::Conflict(_) => {}
            error => panic!("{error:?}"),
        };
        match step {
            Step::Ask { .. } => {}
            Step::Reach => {
                let called = store.log_call(id, CallOutcome::Reached, None, None, by(), now);
                called.await.map(drop).unwrap_or_else(refused);
            }
            Step::Move(status) => {
                let update = RequestUpdate {
                    status: Some(status),
                    assign: None,
                };
                store
                    .change_request(id, update, by(), now)
                    .await
                    .map(drop)
                    .unwrap_or_else(refused);
            }
            Step::Outcome {
                is_won,
                cents,
                is_monthly,
            } => {
                let per = if is_monthly { "month" } else { "total" };
                let outcome = NewOutcome {
                    outcome: if is_won { Outcome::Won } else { Outcome::Lost },
                    reason: (!is_won).then(|| "price".to_owned()),
                    words: None,
                    value: is_won.then_some(OutcomeValue { cents, per }),
                };
                let set = store.set_outcome(id, Some(outcome), by(), now);
                set.await.map(drop).unwrap_or_else(refused);
            }
            Step::Undo => {
                store
                    .undo(id, None, by(), now)
                    .await
                    .map(drop)
                    .unwrap_or_else(refused);
            }
            Step::Reopen => {
                let correction =
                    store.correct_request(id, Correction::Reopen, "Again".into(), by(), now);
                correction.await.map(drop).unwrap_or_else(refused);
            }
            Step::Merge(other) => {
                let merged = store.merge_requests(id, at(other), None, by(), now);
                merged.await.map(drop).unwrap_or_else(refused);
            }
            Step::Separate(other) => {
                let separated = store.separate_request(id, at(other), by(), now);
                separated.await.map(drop).unwrap_or_else(refused);
            }
            Step::MarkSpam => {
                store
                    .mark_spam(id, by(), now)
                    .await
                    .map(drop)
                    .unwrap_or_else(refused);
            }
            Step::Release => {
                store
                    .release(id, by(), now)
                    .await
                    .map(drop)
                    .unwrap_or_else(refused);
            }
            Step::Edit(state) => {
                let texts = |place: &str| [("location", place.to_owned())].into();
                let Ok(request) = store.request(id.clone()).await else {
                    return;
                };
                let edit = RequestEdit {
                    kind: RequestKind::Quote,
                    from: texts(request.location.as_deref().unwrap_or_default()),
                    to: texts(PLACES[state]),
                };
                store
                    .edit_request(id, edit, by(), now)
                    .await
                    .map(drop)
                    .unwrap_or_else(refused);
            }
            Step::Erase => {
                let Ok(request) = store.request_itself(id).await else {
                    return;
                };
                let before = self.naive().await;
                self.store
                    .erase_person(request.email, ALWAYS, None)
                    .await
                    .unwrap();
                let after = self.naive().await;
                for (day, counts) in before {
                    let left = after.get(&day).copied().unwrap_or_default();
                    let erased = self.erased.entry(day).or_default();
                    for (index, count) in counts.into_iter().enumerate() {
                        erased[index] += count - left[index];
                    }
                }
            }
        }
    }

    /// Counts the rows one by one, without a word of the program's own SQL.
    async fn naive(&self) -> BTreeMap<String, [i64; 5]> {
        let zone = self.zone.clone();
        let count = move |conn: &rusqlite::Connection| {
            let mut find = conn.prepare(
                "SELECT created_at, held IS NOT NULL, merged_into IS NOT NULL, answered_at, \
                 won_at
                 FROM requests",
            )?;
            let mut rows = find.query([])?;
            let mut days: BTreeMap<String, [i64; 5]> = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let day_of = |at: String| zone.format(Time::parse(&at).unwrap(), "%F");
                let day = days.entry(day_of(row.get(0)?)).or_default();
                let (held, merged): (bool, bool) = (row.get(1)?, row.get(2)?);
                let is_asked = !held && !merged;
                let counted = [
                    is_asked,
                    held && !merged,
                    merged,
                    is_asked && row.get::<_, Option<String>>(3)?.is_some(),
                ];
                for (sum, counted) in day.iter_mut().zip(counted) {
                    *sum += i64::from(counted);
                }
                let won: Option<String> = row.get(4)?;
                if let Some(won) = won.filter(|_| is_asked) {
                    days.entry(day_of(won)).or_default()[4] += 1;
                }
            }
            Ok(days)
        };
        self.store.read(count).await.unwrap()
    }

    async fn check(&self) {
        let period = Period::between("2026-01-01".parse().unwrap(), "2027-12-31".parse().unwrap());
        let figures = self.store.figures(period.unwrap()).await.unwrap();
        let mut expected = self.naive().await;
        for (day, erased) in &self.erased {
            let counts = expected.entry(day.clone()).or_default();
            for (count, erased) in counts.iter_mut().zip(erased) {
                *count += erased;
            }
        }
        for (day, counts) in expected {
            let found = of_day(&figures, &day);
            assert_eq!(found, counts, "{day}");
        }
    }
}

fn of_day(figures: &Figures, day: &str) -> [i64; 5] {
    let measures = ["asked", "spam", "duplicates", "answered", "won"];
    measures.map(|measure| figures.now.of_day(day, measure))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 16,
        ..ProptestConfig::default()
    })]

    #[test]
    fn figures_equal_the_rows_whatever_happens_in_a_year(
        steps in vec((step(), 0..40_usize, 0..100_i64), 1..80),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let mut year = Year::open(folder.path());
            year.store.keep_figures_in(year.zone.clone()).await.unwrap();
            for (number, (step, target, hours)) in steps.into_iter().enumerate() {
                // An undo soon follows what it takes back.
                let pause = if matches!(step, Step::Undo) {
                    MINUTE_MS / 2
                } else {
                    hours * HOUR_MS
                };
                year.now = year.now.plus_millis(pause);
                year.take(step, target).await;
                if number % 8 == 0 {
                    year.check().await;
                }
            }
            year.check().await;
        });
    }
}
