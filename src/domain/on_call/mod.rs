//! Who is on call and who is alarmed: the rota, its calendar, and the steps of an alarm.

pub mod alarm;
pub mod bounds;
pub mod rota;
pub mod rota_calendar;
