//! The quote list: pages, filters and search over many quotes.

mod hostile;
mod search;

use std::collections::HashSet;

use domain::request::quote::{Quote, Status};
use serde_json::json;
use store::accounts::actor::Actor;
use store::inbox::quotes::MoveResult;
use store::lists::quote_list::{QuotePage, QuoteQuery};
use store::lists::status_counts::StatusCounts;

use crate::support::app::TestApp;

fn actor() -> Actor {
    Actor {
        user_id: "0192f1de-7b5a-7000-8000-000000000001".into(),
        client: "client".into(),
    }
}

impl TestApp {
    async fn page(&self, query: QuoteQuery) -> QuotePage {
        self.store.quotes(query).await.unwrap()
    }

    /// The locations of the quotes found by a search, newest first.
    async fn found(&self, status: Option<Status>, words: &str) -> Vec<String> {
        let words = words.to_owned();
        let page = self
            .page(QuoteQuery {
                status,
                search: words,
                limit: 100,
                cursor: None,
            })
            .await;
        page.quotes
            .into_iter()
            .map(|quote| quote.location)
            .collect()
    }

    async fn moved(&self, id: &str, next: Status) {
        let moved = self
            .store
            .move_quote(id.to_owned(), next, actor(), self.clock.now())
            .await
            .unwrap();
        assert!(matches!(moved, MoveResult::Done(_)));
    }
}

/// Reads all pages of seven quotes each; a new quote is stored between two pages.
async fn all_pages(app: &TestApp, query: QuoteQuery, new_quotes: &mut u32) -> Vec<Quote> {
    let mut all = Vec::new();
    let mut cursor = None;
    loop {
        let page = app
            .page(QuoteQuery {
                limit: 7,
                cursor,
                ..query.clone()
            })
            .await;
        assert!(page.quotes.len() == 7 || page.next_cursor.is_none());
        all.extend(page.quotes);
        *new_quotes += 1;
        app.stored(json!({"location": format!("Late lot {new_quotes}")}))
            .await;
        cursor = page.next_cursor;
        if cursor.is_none() {
            return all;
        }
    }
}

#[tokio::test]
async fn paging_returns_each_quote_once_while_new_ones_are_stored() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for n in 0..60 {
        // Four quotes per millisecond.
        app.clock.advance(i64::from(n % 4 == 0));
        ids.push(app.stored(json!({"location": format!("Lot {n}")})).await);
    }
    for id in ids.iter().step_by(3) {
        app.moved(id, Status::InProgress).await;
    }
    let ours: HashSet<_> = ids.iter().cloned().collect();
    let third: HashSet<_> = ids.iter().step_by(3).cloned().collect();
    let mut new_quotes = 1000;
    for (status, words, expected) in [
        (None, "", &ours),
        (Some(Status::InProgress), "", &third),
        (None, "houst lot", &HashSet::new()),
        (None, "lot", &ours),
        (None, "property lo", &ours),
        (Some(Status::InProgress), "lot", &third),
    ] {
        let query = QuoteQuery {
            status,
            search: words.to_owned(),
            ..QuoteQuery::default()
        };
        let all = all_pages(&app, query, &mut new_quotes).await;
        let once: HashSet<_> = all.iter().map(|quote| quote.id.clone()).collect();
        assert_eq!(
            once.len(),
            all.len(),
            "twice on the pages of {status:?} {words:?}"
        );
        assert_eq!(
            once.intersection(&ours).count(),
            expected.len(),
            "{status:?} {words:?}"
        );
        assert!(expected.is_subset(&once));
        if words.is_empty() {
            assert!(
                all.is_sorted_by(|a, b| a.created_at >= b.created_at),
                "newest first"
            );
        }
    }
}

#[tokio::test]
async fn a_moved_quote_is_found_and_counted_in_its_new_status() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for n in 0..6 {
        ids.push(app.stored(json!({"location": format!("Lot {n}")})).await);
    }
    app.moved(&ids[0], Status::InProgress).await;
    app.moved(&ids[1], Status::Cancelled).await;
    app.moved(&ids[2], Status::InProgress).await;
    app.moved(&ids[2], Status::Completed).await;
    let stale = app
        .store
        .move_quote(ids[1].clone(), Status::InProgress, actor(), app.clock.now())
        .await
        .unwrap();
    assert_eq!(
        stale,
        MoveResult::Refused {
            present: Status::Cancelled
        }
    );
    assert_eq!(
        app.page(QuoteQuery {
            limit: 1,
            ..QuoteQuery::default()
        })
        .await
        .counts,
        StatusCounts {
            pending: 3,
            in_progress: 1,
            completed: 1,
            cancelled: 1,
        }
    );
    assert_eq!(app.found(Some(Status::InProgress), "lot").await, ["Lot 0"]);
    assert_eq!(app.found(Some(Status::Completed), "lot").await, ["Lot 2"]);
    assert_eq!(app.found(Some(Status::Pending), "lot").await.len(), 3);
    assert_eq!(app.found(None, "lot").await.len(), 6);
    assert_eq!(
        app.found(None, "completed").await.len(),
        0,
        "the status is no word of the visitor's"
    );
}
