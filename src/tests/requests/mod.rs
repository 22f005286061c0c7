//! Requests as data: form rules, contact messages, exports, spam, and the rights of a person.

mod contact;
mod exports;
mod figures;
mod forms;
mod person;
mod spam_corpus;
