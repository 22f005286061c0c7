//! Answers at the same time: exactly one outcome, which each loser is shown.

use futures_util::future::join_all;
use serde_json::json;

use super::{DAY, Desk, acceptance, link};

/// What happens beside the acceptances.
#[derive(Clone, Copy, Debug)]
enum Beside {
    Supersede,
    Withdraw,
    Expire,
    Decline,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixty_four_acceptances_beside_another_end_have_one_outcome() {
    for beside in [
        Beside::Supersede,
        Beside::Withdraw,
        Beside::Expire,
        Beside::Decline,
    ] {
        let desk = Desk::with(|config| config.limits.api_per_minute = 10_000).await;
        let offer = desk.delivered().await;
        let number = offer["number"].as_str().unwrap();
        let accepts = (0..64).map(|index| {
            let (desk, link) = (&desk, link(&offer));
            async move {
                let name = format!("Person {index}");
                let fields = acceptance(&[("name", &name)]);
                let address = format!("10.9.{index}.1");
                let response = desk.post_form(&link, &address, &fields).await;
                (response.status().as_u16(), response.text().await.unwrap())
            }
        });
        let other = async {
            match beside {
                Beside::Supersede => {
                    let body = json!({ "revision": offer["revision"], "after": 1 });
                    let path = format!("/offers/{number}/send");
                    desk.send(reqwest::Method::POST, &path, body).await.0
                }
                Beside::Withdraw => {
                    let path = format!("/offers/{number}/withdraw");
                    desk.send(reqwest::Method::POST, &path, json!({})).await.0
                }
                Beside::Decline => {
                    let fields = [("answer", "decline".to_owned())].into();
                    let link = link(&offer);
                    let response = desk.post_form(&link, "10.8.8.8", &fields).await;
                    response.status().as_u16()
                }
                Beside::Expire => {
                    desk.app.clock.advance(30 * DAY);
                    desk.app.advance_offers().await;
                    200
                }
            }
        };
        let (accepted, other) = tokio::join!(join_all(accepts), other);
        let winners = accepted.iter().filter(|(status, _)| *status == 303).count();
        let state = desk.offer(&offer).await;
        let first = &state["versions"].as_array().unwrap().last().unwrap()["state"];
        let words = match first.as_str().unwrap() {
            "accepted" => "was accepted by Person",
            "superseded" => "Version 2 has replaced this offer",
            "withdrawn" => "We withdrew this offer",
            "expired" => "was valid until",
            "declined" => "was declined on",
            other => panic!("{other}"),
        };
        assert_eq!(
            winners,
            usize::from(first == "accepted"),
            "{beside:?}: {first}"
        );
        for (status, page) in accepted.iter().filter(|(status, _)| *status != 303) {
            assert_eq!(*status, 409, "{beside:?}");
            assert!(page.contains(words), "{beside:?} {first}: {page}");
        }
        let rows = desk.app.rows("offer_acceptances").await;
        assert_eq!(rows, i64::try_from(winners).unwrap());
        if winners == 1 && !matches!(beside, Beside::Expire) {
            assert_eq!(other, 409, "{beside:?} lost and is told");
        }
    }
}
