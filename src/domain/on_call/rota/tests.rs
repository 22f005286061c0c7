use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::on_call::rota_calendar::calendar;

const MINUTE: i64 = 60_000;
/// Zones with both clock changes in different seasons, at different hours, by half an hour, and
/// without any.
const ZONES: [&str; 6] = [
    "America/Chicago",
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "America/Santiago",
    "Africa/Casablanca",
    "Asia/Kolkata",
];
const DAYS: i64 = 400;

fn shift(person: &str, week: u8, weekday: u8, from: u16, until: u16) -> Shift {
    Shift {
        person: person.into(),
        week,
        weekday,
        from,
        until,
    }
}

fn rota(weeks: u8, shifts: Vec<Shift>) -> Rota {
    Rota {
        weeks,
        first_day: date(2026, 1, 5),
        shifts,
        overrides: Vec::new(),
    }
}

fn start() -> Time {
    Time::parse("2026-01-01T00:00:00Z").unwrap()
}

/// Each minute of 400 days is in exactly one span: a person's or a gap.
fn assert_complete(rota: &Rota, zone: &TimeZone) -> (i64, i64) {
    let (from, until) = (start(), start().plus_millis(DAYS * DAY_MS));
    let spans = rota.spans(zone, from, until);
    assert_eq!(spans.first().unwrap().from, from);
    assert_eq!(spans.last().unwrap().until, until);
    let (mut covered, mut gap) = (0, 0);
    for (index, span) in spans.iter().enumerate() {
        assert!(span.from < span.until);
        if let Some(next) = spans.get(index + 1) {
            assert_eq!(span.until, next.from, "no hole and no overlap");
            assert_ne!(span.people, next.people, "a change of people");
        }
        let millis = span.until.millis() - span.from.millis();
        *(if span.people.is_empty() {
            &mut gap
        } else {
            &mut covered
        }) += millis;
    }
    let gaps: i64 = rota
        .gaps(zone, from, until)
        .iter()
        .map(|(a, b)| b.millis() - a.millis())
        .sum();
    assert_eq!(gaps, gap, "each gap is named");
    assert_eq!(covered + gap, DAYS * DAY_MS);
    (covered / MINUTE, gap / MINUTE)
}

#[test]
fn a_full_rota_has_exactly_one_person_each_minute_of_400_days_in_six_zones() {
    let mut shifts = Vec::new();
    for weekday in 0..7 {
        // Hand over at 02:30, which the clock changes skip or repeat in Chicago and Berlin.
        shifts.push(shift("ada", 1, weekday, 150, 840));
        shifts.push(shift("ben", 1, weekday, 840, 150));
        shifts.push(shift("cyd", 2, weekday, 120, 120));
    }
    // At the change of weeks on Monday, 02:00 to 02:30 of week 1 is cyd's until 02:00 only.
    let rota = rota(2, shifts);
    for name in ZONES {
        let zone = TimeZone::parse(name).unwrap();
        let (covered, gap) = assert_complete(&rota, &zone);
        // 02:00 to 02:30 on Mondays of week 1 is a gap, on those of week 2 both are on call.
        assert!(gap <= 30 * 31 && covered > 0, "{name}: {gap}");
        for span in rota.spans(&zone, start(), start().plus_millis(DAYS * DAY_MS)) {
            for at in (span.from.millis()..span.until.millis()).step_by(37 * 60_000) {
                let at = Time::from_millis(at);
                assert_eq!(rota.on_call(&zone, at), span.people, "{name} {at}");
            }
        }
    }
}

#[test]
fn without_a_change_of_weeks_a_full_rota_has_no_gap_at_all() {
    let day = |weekday| {
        [
            shift("ada", 0, weekday, 150, 840),
            shift("ben", 0, weekday, 840, 150),
        ]
    };
    let rota = rota(1, (0..7).flat_map(day).collect());
    for name in ZONES {
        let zone = TimeZone::parse(name).unwrap();
        assert_eq!(assert_complete(&rota, &zone), (DAYS * 24 * 60, 0), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_minute_has_one_person_or_a_named_gap(
        weeks in 1_u8..=4,
        shifts in prop::collection::vec(
            (0_u8..3, 0_u8..=4, 0_u8..7, 0_u16..1440, 1_u16..=1440),
            0..12,
        ),
        overrides in prop::collection::vec((0_u8..3, 0_i64..(DAYS * 1440), 1_i64..20_000), 0..4),
        zone in 0..ZONES.len(),
    ) {
        let name = |index: u8| ["ada", "ben", "cyd"][usize::from(index)].to_owned();
        let shifts = shifts.into_iter();
        let mut rota = rota(weeks, shifts.map(|(person, week, weekday, from, until)| Shift {
            person: name(person), week: week.min(weeks), weekday, from, until,
        }).collect());
        rota.overrides = overrides.into_iter().map(|(person, from, length)| Override {
            person: name(person),
            from: start().plus_millis(from * MINUTE),
            until: start().plus_millis((from + length) * MINUTE),
        }).collect();
        assert_complete(&rota, &TimeZone::parse(ZONES[zone]).unwrap());
    }
}

#[test]
fn an_override_comes_first_and_the_next_person_is_named() {
    let zone = TimeZone::parse("America/Chicago").unwrap();
    let mut rota = rota(1, (0..7).map(|day| shift("ada", 0, day, 0, 1440)).collect());
    let now = Time::parse("2026-11-21T12:00:00Z").unwrap();
    assert_eq!(rota.on_call(&zone, now), ["ada"]);
    assert_eq!(rota.next(&zone, now), None);
    rota.overrides.push(Override {
        person: "ben".into(),
        from: now,
        until: now.plus_millis(DAY_MS),
    });
    assert_eq!(rota.on_call(&zone, now), ["ben", "ada"]);
    assert_eq!(rota.next(&zone, now), Some("ada".into()));
    let before = now.plus_millis(-DAY_MS);
    assert_eq!(rota.on_call(&zone, before), ["ada"]);
    assert_eq!(
        rota.next(&zone, before),
        Some("ben".into()),
        "who is on call later"
    );
}

#[test]
fn the_calendar_has_an_event_for_each_span() {
    let zone = TimeZone::parse("America/Chicago").unwrap();
    let rota = rota(1, vec![shift("ada", 0, 5, 480, 1080)]);
    let from = Time::parse("2026-11-21T06:00:00Z").unwrap();
    let spans = rota.spans(&zone, from, from.plus_millis(DAY_MS));
    let text = calendar("Guards; Inc", &spans, |id| format!("{id}, chief"), from);
    assert!(text.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"));
    assert!(text.ends_with("END:VCALENDAR\r\n"));
    assert_eq!(text.matches("BEGIN:VEVENT").count(), 3);
    assert!(text.contains("DTSTART:20261121T140000Z\r\nDTEND:20261122T000000Z\r\n"));
    assert!(text.contains("SUMMARY:On call: ada\\, chief\r\n"));
    assert!(text.contains("SUMMARY:Nobody is on call\r\n"));
    assert!(text.contains("X-WR-CALNAME:Guards\\; Inc\r\n"));
    assert!(text.lines().all(|line| line.len() <= 75));
}

#[test]
fn the_weeks_of_a_cycle_take_turns_before_and_after_its_first_day() {
    let shifts = (0..7).flat_map(|weekday| {
        [
            shift("ada", 1, weekday, 0, DAY_MINUTES),
            shift("ben", 2, weekday, 0, DAY_MINUTES),
        ]
    });
    // Its first day is Monday, January 5.
    let rota = rota(2, shifts.collect());
    let zone = TimeZone::parse("America/Chicago").unwrap();
    for (at, person) in [
        ("2025-12-22T12:00:00Z", "ada"),
        ("2025-12-29T12:00:00Z", "ben"),
        ("2026-01-05T12:00:00Z", "ada"),
        ("2026-01-11T12:00:00Z", "ada"),
        ("2026-01-12T12:00:00Z", "ben"),
        ("2026-01-18T12:00:00Z", "ben"),
        ("2026-01-19T12:00:00Z", "ada"),
        ("2026-07-06T12:00:00Z", "ada"),
    ] {
        let now = Time::parse(at).unwrap();
        assert_eq!(rota.on_call(&zone, now), [person], "{at}");
    }
}

#[test]
fn a_shift_of_the_last_week_is_right_and_one_after_it_is_not() {
    assert_eq!(shift("ada", 2, 0, 0, 60).fault(2), None);
    let fault = shift("ada", 3, 0, 0, 60).fault(2);
    assert_eq!(fault, Some("its week is after the last one of the cycle"));
}
