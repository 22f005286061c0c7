//! The site's content: the embedded frontend build, the seeds, and the company facts inserted into
//! both. Independent of HTTP requests.

pub mod bundle;
pub mod content;
pub mod crawler_files;
pub mod current;
mod dist;
pub mod documents;
pub mod engine;
pub mod inline_files;
pub mod offer_page;
pub mod photos;
pub mod placeholders;
pub mod preview;
pub mod publishing;
pub mod renderer;
pub mod sections;
pub mod seo;
pub mod status_page;
mod structured_data;
pub mod templates;
pub mod unfinished;
