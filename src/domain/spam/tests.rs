use super::*;

const HONEST: Texts<'static> = Texts {
    first_name: "María",
    last_name: "O’Brien",
    email: "maria@bayou.example",
    phone: "(713) 555-0188",
    company: "Bayou Property & Sons",
    location: "Houston, TX",
    message: "Panel is down on floors 3 to 9. Plans: https://www.bayou.example/tower",
    is_urgent: false,
};

fn signals(texts: &Texts<'_>, visit: Visit) -> Vec<(Signal, u8)> {
    let found = reasons(texts, visit).into_iter();
    found.map(|reason| (reason.signal, reason.points)).collect()
}

#[test]
fn each_signal_has_its_points() {
    let visit = Visit::default();
    assert_eq!(signals(&HONEST, visit), []);
    let message = |message| (Texts { message, ..HONEST }, visit);
    for ((texts, visit), signal, points) in [
        (
            (
                HONEST,
                Visit {
                    trap_filled: true,
                    ..visit
                },
            ),
            Signal::Trap,
            3,
        ),
        (
            (
                HONEST,
                Visit {
                    fill_millis: Some(2999),
                    ..visit
                },
            ),
            Signal::Fast,
            3,
        ),
        (
            (
                HONEST,
                Visit {
                    agent: Agent::Program,
                    ..visit
                },
            ),
            Signal::Program,
            1,
        ),
        (
            (
                HONEST,
                Visit {
                    agent: Agent::HeadlessBrowser,
                    ..visit
                },
            ),
            Signal::Program,
            2,
        ),
        (
            (
                HONEST,
                Visit {
                    is_unopened: true,
                    ..visit
                },
            ),
            Signal::Unopened,
            2,
        ),
        (
            (
                HONEST,
                Visit {
                    has_markup: true,
                    ..visit
                },
            ),
            Signal::Links,
            3,
        ),
        (message("See https://one.example/x."), Signal::Links, 2),
        (message("See one.com and www.two.com"), Signal::Links, 3),
        (message("We sell backlinks"), Signal::Offer, 2),
        (
            message("Backlinks to the first page of Google"),
            Signal::Offer,
            3,
        ),
        (
            message("Best c\u{430}sino tonight"),
            Signal::MixedScripts,
            3,
        ),
        (
            (
                Texts {
                    first_name: "xWqTrLkPzNvB",
                    last_name: "QzKvLpWxRtNm",
                    ..HONEST
                },
                visit,
            ),
            Signal::RandomWords,
            3,
        ),
        (
            (
                Texts {
                    email: "m.a.r.i.ab@gmail.com",
                    message: "",
                    ..HONEST
                },
                visit,
            ),
            Signal::ScatteredDots,
            2,
        ),
        (
            (
                Texts {
                    first_name: "Robert",
                    last_name: "Robert",
                    ..HONEST
                },
                visit,
            ),
            Signal::SameNames,
            1,
        ),
        (
            (
                Texts {
                    phone: "87654321098",
                    ..HONEST
                },
                visit,
            ),
            Signal::Phone,
            1,
        ),
    ] {
        assert_eq!(signals(&texts, visit), [(signal, points)], "{texts:?}");
    }
}

#[test]
fn a_request_is_held_from_five_points_and_by_no_signal_alone() {
    let reason = |points| Reason::new(Signal::Trap, points, "");
    assert!(!is_held(&[reason(MAX_POINTS)]));
    assert!(!is_held(&[reason(3), reason(1)]));
    assert!(is_held(&[reason(3), reason(2)]));
    assert_eq!(same_text(1), None);
    assert_eq!(same_text(9).map(|reason| reason.points), Some(3));
    let slow = Visit {
        fill_millis: Some(3000),
        ..Visit::default()
    };
    assert_eq!(reasons(&HONEST, slow), []);
}

#[test]
fn browsers_are_told_from_programs() {
    for (agent, expected) in [
        (
            Some("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)"),
            Agent::Browser,
        ),
        (
            Some("Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0"),
            Agent::HeadlessBrowser,
        ),
        (Some("python-requests/2.32"), Agent::Program),
        (Some(""), Agent::Program),
        (None, Agent::Program),
    ] {
        assert_eq!(Agent::of(agent), expected, "{agent:?}");
    }
}

#[test]
fn equal_texts_are_recognized_whatever_their_case_and_punctuation() {
    let text = "We need two guards for a warehouse from Monday to Friday.";
    let same = "WE NEED two guards, for a warehouse: from Monday to Friday!";
    assert!(text_hash(text).is_some());
    assert_eq!(text_hash(text), text_hash(same));
    assert_ne!(text_hash(text), text_hash(&text.replace("two", "three")));
    assert_eq!(text_hash("Please call me back"), None);
}
