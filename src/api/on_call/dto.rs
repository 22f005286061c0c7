//! Wire types of the calls about who is on call.

use poem_openapi::Object;
use serde::Deserialize;

use domain::clock::DAY_MS;
use domain::offer::calendar::Weekday;
use domain::on_call::alarm::parse_minute;
use domain::on_call::rota::{self, MAX_WEEKS};
use http::request::problem::{Problem, invalid};

/// Shifts in a rota.
const MAX_SHIFTS: usize = 500;
/// The longest override, in milliseconds: 90 days.
const MAX_OVERRIDE_MS: i64 = 90 * DAY_MS;

/// A shift that comes back.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "RotaShift")]
pub struct Shift {
    /// The user's id.
    pub person: String,
    /// The week of the cycle, from 1; 0: each week.
    pub week: u8,
    /// From Monday, 0.
    pub weekday: u8,
    /// As in `08:00`, on the clock of the company.
    pub from: String,
    /// As in `18:00`; an end that is not after the beginning is on the next day.
    pub until: String,
}

impl Shift {
    /// As in `Shift 3 (Tuesday, 08:00 to 18:00)`.
    fn name(&self, index: usize) -> String {
        let day = Weekday::FROM_MONDAY.get(usize::from(self.weekday));
        let day = day.map_or("no weekday".to_owned(), |day| format!("{day:?}"));
        let Self { from, until, .. } = self;
        format!("Shift {} ({day}, {from} to {until})", index + 1)
    }

    /// Errors: what is wrong.
    fn parse(&self, weeks: u8) -> Result<rota::Shift, String> {
        let minute = |text: &str| {
            parse_minute(text).ok_or_else(|| format!("\"{text}\" is no time, as in 08:00"))
        };
        let shift = rota::Shift {
            person: self.person.clone(),
            week: self.week,
            weekday: self.weekday,
            from: minute(&self.from)?,
            until: minute(&self.until)?,
        };
        match shift.fault(weeks) {
            Some(why) => Err(why.to_owned()),
            None => Ok(shift),
        }
    }
}

/// The shifts.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Rota")]
pub struct Rota {
    /// Weeks of the cycle, 1 to 12.
    pub weeks: u8,
    /// A day in the first week of the cycle, `YYYY-MM-DD`.
    pub first_day: String,
    /// Where two cover a time, the one before is on call and the other is next.
    pub shifts: Vec<Shift>,
    /// The version that is changed; another one is a conflict.
    pub version: i64,
}

impl Rota {
    /// The rota as a type of the domain. Errors: names the field.
    pub fn parse(&self) -> Result<rota::Rota, Problem> {
        let first_day = self.first_day.parse();
        let first_day = first_day.map_err(|_| invalid("first_day", "Write it as 2026-01-05."))?;
        if !(1..=MAX_WEEKS).contains(&self.weeks) {
            return Err(invalid("weeks", "A cycle has 1 to 12 weeks."));
        }
        if self.shifts.len() > MAX_SHIFTS {
            return Err(invalid("shifts", "There are too many shifts."));
        }
        let shifts = self.shifts.iter().enumerate().map(|(index, shift)| {
            shift
                .parse(self.weeks)
                .map_err(|why| invalid("shifts", format!("{}: {why}.", shift.name(index))))
        });
        Ok(rota::Rota {
            weeks: self.weeks,
            first_day,
            shifts: shifts.collect::<Result<_, _>>()?,
            overrides: Vec::new(),
        })
    }

    /// The wire form of a stored rota.
    pub fn of(rota: &rota::Rota, version: i64) -> Self {
        let time = |minute: u16| format!("{:02}:{:02}", minute / 60, minute % 60);
        Self {
            weeks: rota.weeks,
            first_day: rota.first_day.to_string(),
            shifts: rota
                .shifts
                .iter()
                .map(|shift| Shift {
                    person: shift.person.clone(),
                    week: shift.week,
                    weekday: shift.weekday,
                    from: time(shift.from),
                    until: time(shift.until),
                })
                .collect(),
            version,
        }
    }
}

/// Overrides to add: one, or the two of a swap.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewOverrides {
    pub overrides: Vec<rota::Override>,
}

impl NewOverrides {
    /// The overrides. Errors: 422 if there are none or too many, or one is too long.
    pub fn parse(self) -> Result<Vec<rota::Override>, Problem> {
        if self.overrides.is_empty() || self.overrides.len() > 20 {
            return Err(invalid("overrides", "Send 1 to 20 overrides."));
        }
        let lengths = self.overrides.iter();
        let mut lengths = lengths.map(|it| it.until.millis() - it.from.millis());
        match lengths.all(|length| (1..=MAX_OVERRIDE_MS).contains(&length)) {
            true => Ok(self.overrides),
            false => Err(invalid(
                "until",
                "The end must be after the beginning, by at most 90 days.",
            )),
        }
    }
}

/// An override.
#[derive(Object)]
pub struct RotaOverride {
    pub id: i64,
    #[oai(flatten)]
    pub time: rota::Override,
}

/// How a person is reached.
#[derive(Object)]
pub struct OnCallPerson {
    pub id: String,
    pub email: Option<String>,
    /// The display name.
    pub name: Option<String>,
    /// As in `+17135550142`.
    pub phone: Option<String>,
    /// Browsers that take pushes.
    pub devices: u32,
}

/// A number to call.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhoneNumber {
    /// With or without a country code; empty: none.
    pub phone: String,
}

/// Who is on call.
#[derive(Object)]
pub struct OnCall {
    pub rota: Rota,
    /// The newest first.
    pub overrides: Vec<RotaOverride>,
    /// The next four weeks, without holes; empty without a rota.
    pub spans: Vec<rota::Span>,
    pub people: Vec<OnCallPerson>,
    /// The path of the calendar.
    pub calendar: String,
    /// The company's time zone.
    pub time_zone: String,
    /// Whether people can be called.
    pub calls: bool,
    /// Whether they get text messages.
    pub sms: bool,
}
