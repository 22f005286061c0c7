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
    let visited = |change: fn(&mut Visit)| {
        let mut visit = visit;
        change(&mut visit);
        (HONEST, visit)
    };
    let written = |change: fn(&mut Texts<'static>)| {
        let mut texts = HONEST;
        change(&mut texts);
        (texts, visit)
    };
    let message = |message| (Texts { message, ..HONEST }, visit);
    for ((texts, visit), signal, points) in [
        (visited(|it| it.trap_filled = true), Signal::Trap, 3),
        (visited(|it| it.fill_millis = Some(2999)), Signal::Fast, 3),
        (visited(|it| it.agent = Agent::Program), Signal::Program, 1),
        (
            visited(|it| it.agent = Agent::HeadlessBrowser),
            Signal::Program,
            2,
        ),
        (visited(|it| it.is_unopened = true), Signal::Unopened, 2),
        (visited(|it| it.has_markup = true), Signal::Links, 3),
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
            written(|it| (it.first_name, it.last_name) = ("xWqTrLkPzNvB", "QzKvLpWxRtNm")),
            Signal::RandomWords,
            3,
        ),
        (
            written(|it| (it.email, it.message) = ("m.a.r.i.ab@gmail.com", "")),
            Signal::ScatteredDots,
            2,
        ),
        (
            written(|it| (it.first_name, it.last_name) = ("Robert", "Robert")),
            Signal::SameNames,
            1,
        ),
        (written(|it| it.phone = "87654321098"), Signal::Phone, 1),
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
