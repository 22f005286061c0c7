//! The pages as data: what the frontend built, what the seeds say, and the company's facts put into both. Nothing here knows of requests.

pub mod bundle;
pub mod content;
pub mod documents;
pub mod facts;
pub mod files;
pub mod photos;
pub mod seo;
pub mod sheet;
