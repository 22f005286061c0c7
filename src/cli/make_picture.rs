//! `guardpost make-picture`, which the server starts to decode a picture; not for people.

use clap::Args;

use crate::storage::picture_process;

/// Make a picture of the one on standard input, and write it to standard output, a file. The exit
/// code says what became of it.
#[derive(Args)]
pub(super) struct MakePicture {
    /// What is made of it: jpeg, png, webp or site.
    task: String,
}

impl MakePicture {
    pub(super) fn run(&self) -> ! {
        std::process::exit(picture_process::run(&self.task).into())
    }
}
