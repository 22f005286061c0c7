//! Days, times and terms in words.

use jiff::civil::Date;

use crate::offer::calendar::{Day, TimeOfDay, Weekday};
use crate::offer::lines::counted;
use crate::offer::terms::Terms;

/// A day as `Friday, December 4, 2026`.
pub fn long_date(date: Date) -> String {
    date.strftime("%A, %B %-d, %Y").to_string()
}

/// A day as `December 4, 2026`.
pub fn date(date: Date) -> String {
    date.strftime("%B %-d, %Y").to_string()
}

/// A text with a capital at its beginning.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// A time of day as `6:00 AM`, `midnight` or `noon`.
pub fn time(TimeOfDay(minute): TimeOfDay) -> String {
    match minute {
        0 => return "midnight".to_owned(),
        720 => return "noon".to_owned(),
        _ => {}
    }
    let half = if minute < 720 { "AM" } else { "PM" };
    let hour = (minute / 60 + 11) % 12 + 1;
    format!("{hour}:{:02} {half}", minute % 60)
}

/// Words as `a`, `a and b` or `a, b and c`.
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Days of the week as `every day`, `Monday to Friday` or `Monday and Thursday`.
pub fn days(of: &[Weekday]) -> String {
    let chosen = Weekday::FROM_MONDAY.map(|day| of.contains(&day));
    let name = |at: usize| format!("{:?}", Weekday::FROM_MONDAY[at]);
    if chosen == [true; 7] {
        return "every day".to_owned();
    }
    let mut parts = Vec::new();
    let mut at = 0;
    while at < chosen.len() {
        let length = chosen[at..].iter().take_while(|is_on| **is_on).count();
        match length {
            0 => {}
            1 | 2 => parts.extend((at..at + length).map(name)),
            _ => parts.push(format!("{} to {}", name(at), name(at + length - 1))),
        }
        at += length.max(1);
    }
    listed(&parts)
}

/// The term as `Friday, December 4 to Thursday, December 10, 2026 (7 days)` or
/// `From Friday, December 4, 2026, ongoing`.
pub fn term(terms: &Terms) -> String {
    let start = terms.start.0;
    let Some((Day(end), days)) = terms.end.zip(terms.days()) else {
        return format!("From {}, ongoing", long_date(start));
    };
    let count = counted(days, "day");
    match (end == start, end.year() == start.year()) {
        (true, _) => long_date(start),
        (_, true) => {
            let start = start.strftime("%A, %B %-d");
            format!("{start} to {} ({count})", long_date(end))
        }
        _ => format!("{} to {} ({count})", long_date(start), long_date(end)),
    }
}

#[cfg(test)]
mod tests {
    use super::{days, time};
    use crate::offer::calendar::{TimeOfDay, Weekday};

    #[test]
    fn days_of_the_week_are_named_as_people_name_them() {
        use Weekday::{Friday, Monday, Saturday, Sunday, Thursday, Tuesday, Wednesday};
        let all = [
            Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday,
        ];
        for (of, words) in [
            (&all[..], "every day"),
            (&all[1..6], "Monday to Friday"),
            (&[Saturday, Sunday], "Saturday and Sunday"),
            (
                &[Sunday, Monday, Tuesday, Wednesday],
                "Monday to Wednesday and Sunday",
            ),
            (&[Friday, Monday, Wednesday], "Monday, Wednesday and Friday"),
            (&[Thursday], "Thursday"),
            (&[], ""),
        ] {
            assert_eq!(days(of), words);
        }
    }

    #[test]
    fn times_are_those_of_a_twelve_hour_clock() {
        for (minute, words) in [
            (0, "midnight"),
            (5, "12:05 AM"),
            (360, "6:00 AM"),
            (720, "noon"),
            (750, "12:30 PM"),
            (1439, "11:59 PM"),
        ] {
            assert_eq!(time(TimeOfDay(minute)), words);
        }
    }
}
