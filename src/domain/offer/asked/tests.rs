//! A table of phrases: what is taken from each, and what is left for a person to ask.

use super::Asked;
use crate::offer::calendar::Day;
use crate::offer::terms::Schedule;

/// A text, the schedule (`-`: not said plainly), the officers (0: not said) and armed or not.
type Row = (&'static str, &'static str, u32, Option<bool>);

const PHRASES: [Row; 105] = [
    // The three of the desk's complaints.
    (
        "Front door officer, weekdays 7 to 19",
        "Mon-Fri 07:00-19:00",
        0,
        None,
    ),
    (
        "Nights and weekends at our warehouse",
        "Mon-Fri 19:00-07:00, Sat-Sun 00:00-00:00",
        0,
        None,
    ),
    (
        "Mon–Fri 7 am to 7 pm, two guards",
        "Mon-Fri 07:00-19:00",
        2,
        None,
    ),
    // Around the clock.
    ("We need 24/7 coverage", "24/7", 0, None),
    ("24-7 fire watch", "24/7", 0, None),
    ("24x7, 2 officers", "24/7", 2, None),
    (
        "Around the clock until the sprinklers work",
        "24/7",
        0,
        None,
    ),
    ("round-the-clock guard", "24/7", 0, None),
    ("24 hours a day, 7 days a week", "24/7", 0, None),
    ("24 hours a day", "24/7", 0, None),
    (
        "24 hour coverage, one unarmed officer",
        "24/7",
        1,
        Some(false),
    ),
    ("Guards 24 hrs per day", "24/7", 0, None),
    ("day and night", "24/7", 0, None),
    ("24 hours on weekends", "Sat-Sun 00:00-00:00", 0, None),
    (
        "around the clock on Saturday and Sunday",
        "Sat-Sun 00:00-00:00",
        0,
        None,
    ),
    // Hours in numbers.
    ("7am-7pm", "Sun-Sat 07:00-19:00", 0, None),
    ("7 a.m. to 7 p.m.", "Sun-Sat 07:00-19:00", 0, None),
    ("from 6pm until 6am", "Sun-Sat 18:00-06:00", 0, None),
    ("6:30 pm – 5:30 am", "Sun-Sat 18:30-05:30", 0, None),
    ("10-2pm", "Sun-Sat 10:00-14:00", 0, None),
    ("7 to 7pm", "Sun-Sat 07:00-19:00", 0, None),
    (
        "8-5pm Monday through Friday",
        "Mon-Fri 08:00-17:00",
        0,
        None,
    ),
    ("9 to 5, weekdays", "Mon-Fri 09:00-17:00", 0, None),
    ("1900-0700 daily", "Sun-Sat 19:00-07:00", 0, None),
    ("0600 to 1800 hrs", "Sun-Sat 06:00-18:00", 0, None),
    ("18:00 to 06:00 every night", "Sun-Sat 18:00-06:00", 0, None),
    ("22 to 6", "Sun-Sat 22:00-06:00", 0, None),
    ("noon to midnight", "Sun-Sat 12:00-00:00", 0, None),
    ("midnight to 8am", "Sun-Sat 00:00-08:00", 0, None),
    ("11pm to 7", "Sun-Sat 23:00-07:00", 0, None),
    ("8am to 4", "Sun-Sat 08:00-16:00", 0, None),
    ("5 pm to 1 am", "Sun-Sat 17:00-01:00", 0, None),
    ("12am-12pm", "Sun-Sat 00:00-12:00", 0, None),
    ("10pm til 6am", "Sun-Sat 22:00-06:00", 0, None),
    // Days with hours.
    ("Mon-Fri 8am-5pm", "Mon-Fri 08:00-17:00", 0, None),
    ("M-F 8am-5pm", "Mon-Fri 08:00-17:00", 0, None),
    (
        "Monday to Saturday, 6 am to 2 pm",
        "Mon-Sat 06:00-14:00",
        0,
        None,
    ),
    ("Tues thru Thurs 9am to 9pm", "Tue-Thu 09:00-21:00", 0, None),
    ("Fri-Sun 6pm-2am", "Fri-Sun 18:00-02:00", 0, None),
    (
        "Friday, Saturday and Sunday from 8 pm to 4 am",
        "Fri-Sun 20:00-04:00",
        0,
        None,
    ),
    ("Sat & Sun 7am-7pm", "Sat-Sun 07:00-19:00", 0, None),
    ("Saturdays 10am to 6pm", "Sat 10:00-18:00", 0, None),
    (
        "Mon, Wed and Fri 5pm-11pm",
        "Mon,Wed,Fri 17:00-23:00",
        0,
        None,
    ),
    ("Mon/Wed/Fri 5pm-11pm", "Mon,Wed,Fri 17:00-23:00", 0, None),
    (
        "Sunday through Thursday 10pm-6am",
        "Sun-Thu 22:00-06:00",
        0,
        None,
    ),
    ("business days, 8am to 6pm", "Mon-Fri 08:00-18:00", 0, None),
    (
        "every day from 6 am to 10 pm",
        "Sun-Sat 06:00-22:00",
        0,
        None,
    ),
    ("7 days a week, 7pm-7am", "Sun-Sat 19:00-07:00", 0, None),
    (
        "seven nights a week 9pm to 5am",
        "Sun-Sat 21:00-05:00",
        0,
        None,
    ),
    ("8pm-6am, weeknights", "Mon-Fri 20:00-06:00", 0, None),
    ("on weekends 7pm to 7am", "Sat-Sun 19:00-07:00", 0, None),
    (
        "Weekdays 6pm to 6am and 24 hours on weekends",
        "Mon-Fri 18:00-06:00, Sat-Sun 00:00-00:00",
        0,
        None,
    ),
    (
        "Mon-Fri 5pm-8am, Sat-Sun 24 hours",
        "Mon-Fri 17:00-08:00, Sat-Sun 00:00-00:00",
        0,
        None,
    ),
    (
        "Mon-Thu 9am-5pm, Fri 9am-9pm",
        "Mon-Thu 09:00-17:00, Fri 09:00-21:00",
        0,
        None,
    ),
    (
        "weekdays 7am-3pm and 3pm-11pm",
        "Mon-Fri 07:00-15:00, Mon-Fri 15:00-23:00",
        0,
        None,
    ),
    // Words for hours.
    ("overnight", "Sun-Sat 19:00-07:00", 0, None),
    ("Overnight guard", "Sun-Sat 19:00-07:00", 0, None),
    ("nights only", "Sun-Sat 19:00-07:00", 0, None),
    ("every night", "Sun-Sat 19:00-07:00", 0, None),
    ("night shift, one guard", "Sun-Sat 19:00-07:00", 1, None),
    ("weeknights", "Mon-Fri 19:00-07:00", 0, None),
    ("weekend nights", "Sat-Sun 19:00-07:00", 0, None),
    ("Friday and Saturday nights", "Fri-Sat 19:00-07:00", 0, None),
    ("day shift Monday to Friday", "Mon-Fri 07:00-19:00", 0, None),
    ("weekends", "Sat-Sun 00:00-00:00", 0, None),
    ("only on weekends", "Sat-Sun 00:00-00:00", 0, None),
    ("nights, 6pm-6am", "Sun-Sat 18:00-06:00", 0, None),
    (
        "Overnight 10 pm - 6 am, Mon-Sat",
        "Mon-Sat 22:00-06:00",
        0,
        None,
    ),
    // Officers.
    ("two guards", "-", 2, None),
    ("2 officers", "-", 2, None),
    ("a guard at the gate", "-", 1, None),
    ("one security officer", "-", 1, None),
    ("3 armed guards", "-", 3, Some(true)),
    ("four (4) unarmed security guards", "-", 4, Some(false)),
    ("a couple of guards", "-", 2, None),
    ("ten officers for a concert", "-", 10, None),
    ("two uniformed, licensed officers", "-", 0, None),
    ("2 front desk officers, 24/7", "24/7", 2, None),
    (
        "1 concierge Mon-Fri 8am-8pm",
        "Mon-Fri 08:00-20:00",
        1,
        None,
    ),
    ("2 guards 7pm-7am, 7 days", "Sun-Sat 19:00-07:00", 2, None),
    ("We have 2 buildings and need two guards", "-", 2, None),
    ("5 fire watch guards tonight", "-", 5, None),
    // Armed or not.
    ("armed", "-", 0, Some(true)),
    (
        "must be armed, 6pm-6am",
        "Sun-Sat 18:00-06:00",
        0,
        Some(true),
    ),
    ("un-armed is fine", "-", 0, Some(false)),
    ("does not need to be armed", "-", 0, Some(false)),
    ("not armed", "-", 0, Some(false)),
    ("non-armed officer", "-", 0, Some(false)),
    // What is not plain is asked.
    ("2-3 guards", "-", 0, None),
    ("2 or 3 officers", "-", 0, None),
    ("two guards by day, one guard at night", "-", 0, None),
    ("7 to 7", "-", 0, None),
    ("12 hours a day", "-", 0, None),
    ("two 12-hour shifts", "-", 0, None),
    ("armed or unarmed", "-", 0, None),
    ("every other weekend", "-", 0, None),
    ("24/7 except Sundays", "-", 0, None),
    ("Mon-Fri", "-", 0, None),
    ("weekdays", "-", 0, None),
    ("call me at 713-555-0142", "-", 0, None),
    ("from 12/1 to 12/5", "-", 0, None),
    ("$25-30 an hour", "-", 0, None),
    ("for 3 to 6 months", "-", 0, None),
    ("200-300 people, 2 to 4 weeks", "-", 0, None),
    ("", "-", 0, None),
];

const NAMES: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// Days in a row as `Mon-Fri`, others as `Mon,Wed`.
fn days(days: &[Day]) -> String {
    let index = |day: &Day| Day::ALL.iter().position(|it| it == day).unwrap();
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
        Some(Schedule::Always { .. }) => "24/7".to_owned(),
        Some(Schedule::Weekly { shifts }) => {
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
    for (text, schedule, officers, is_armed) in PHRASES {
        let asked = Asked::of(text);
        let found = (
            shown(asked.schedule.as_ref()),
            asked.officers.unwrap_or(0),
            asked.is_armed,
        );
        if found != (schedule.to_owned(), officers, is_armed) {
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
        .map(|it| (it.what, it.words.as_str()))
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
