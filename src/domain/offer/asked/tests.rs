//! A table of phrases: what is taken from each, and what is left for a person to ask.

use super::Asked;
use crate::offer::calendar::Weekday;
use crate::offer::terms::{Schedule, WeeklyShifts};

/// A text, the schedule (`-`: not said plainly), the officers (0: not said) and armed or not.
type Row = (String, String, u32, Option<bool>);

const NAMES: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// Days in a row as `Mon-Fri`, others as `Mon,Wed`.
fn days(days: &[Weekday]) -> String {
    let index = |day: &Weekday| Weekday::ALL.iter().position(|it| it == day).unwrap();
    let at: Vec<usize> = (0..7)
        .filter(|n| days.iter().any(|day| index(day) == *n))
        .collect();
    let starts = at.iter().filter(|n| !at.contains(&((**n + 6) % 7)));
    match (
        at.as_slice(),
        starts.copied().collect::<Vec<_>>().as_slice(),
    ) {
        ([one], _) => NAMES[*one].to_owned(),
        (all, []) if all.len() == 7 => "Sun-Sat".to_owned(),
        (all, [start]) => format!("{}-{}", NAMES[*start], NAMES[(start + all.len() - 1) % 7]),
        (all, _) => all.iter().map(|n| NAMES[*n]).collect::<Vec<_>>().join(","),
    }
}

fn shown(schedule: Option<&Schedule>) -> String {
    match schedule {
        None => "-".to_owned(),
        Some(Schedule::Always(_)) => "24/7".to_owned(),
        Some(Schedule::Weekly(WeeklyShifts { shifts })) => {
            let shifts = shifts.iter().map(|shift| {
                let (from, to) = (String::from(shift.from), String::from(shift.to));
                format!("{} {from}-{to}", days(&shift.days))
            });
            shifts.collect::<Vec<_>>().join(", ")
        }
        Some(other) => format!("{other:?}"),
    }
}

#[test]
fn what_is_plain_is_taken_and_the_rest_is_left_open() {
    let mut wrong = Vec::new();
    let phrases: Vec<Row> = serde_json::from_str(include_str!("phrases.json")).unwrap();
    for (text, schedule, officers, is_armed) in phrases {
        let asked = Asked::of(&text);
        let found = (
            shown(asked.schedule.as_ref()),
            asked.officers.unwrap_or(0),
            asked.is_armed,
        );
        if found != (schedule.clone(), officers, is_armed) {
            wrong.push(format!(
                "{text}: {found:?}, not {:?}",
                (schedule, officers, is_armed)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn what_was_taken_is_named_with_its_words() {
    let asked = Asked::of("Two armed guards, Mon–Fri from 7 am to 7 pm please");
    let taken: Vec<_> = asked
        .taken
        .iter()
        .map(|it| (it.what.as_str(), it.words.as_str()))
        .collect();
    assert_eq!(
        taken,
        [
            ("schedule", "mon-fri"),
            ("schedule", "7 am to 7 pm"),
            ("officers", "two armed guards"),
            ("armed", "armed"),
        ]
    );
}

#[test]
fn any_text_is_read_without_a_fault() {
    for text in [
        "24/",
        "99:99 to 7pm",
        "m-f-m-f",
        "7 am to",
        "٣ guards",
        "12:5 - 9",
        "0000-0000",
    ] {
        Asked::of(text);
    }
}
