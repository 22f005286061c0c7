//! On call: the rota, how people are reached, alarms and the messages that notify people of them.

pub mod acknowledge;
pub mod advance;
pub mod alarms;
pub mod answer;
mod claim;
pub mod contacts;
pub mod list;
pub mod messages;
mod next_way;
mod placed;
pub mod rota;
pub mod status;
mod tell;
