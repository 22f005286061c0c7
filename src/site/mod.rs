//! The pages as data: what the frontend built, what the seeds say, and the company's facts put into both. Nothing here knows of requests.

pub mod bundle;
pub mod content;
pub mod crawler_files;
mod dist;
pub mod documents;
pub mod inline_stylesheet;
pub mod photos;
pub mod placeholders;
pub mod seo;
