//! A mailbox server that answers wrongly at each step: no message is lost, and one that cannot be
//! read stops no other.

use std::time::Duration;

use domain::clock::{Clock, HOUR_MS, Time};
use tokio::sync::watch;
use tokio::time::timeout;

use super::mailbox::{Mailbox, message};
use crate::support::imap::Fault;
use crate::support::log::Log;

const MINUTE: i64 = 60 * 1000;
const REFUSED: &str = "NO [UNAVAILABLE] FETCH Server error while fetching messages";

/// What a server may answer in place of a message or its size, without it being gone.
const WRONG: [Fault; 10] = [
    Fault::Once("BODY.PEEK[]", "", REFUSED),
    Fault::Once("BODY.PEEK[]", "", "BAD parse error"),
    Fault::Once(
        "BODY.PEEK[]",
        "* 2 FETCH (UID {uid} BODY[] NIL)\r\n",
        "OK done",
    ),
    Fault::Once(
        "BODY.PEEK[]",
        "* 2 FETCH (UID {uid} BODY[] \"\")\r\n",
        "OK done",
    ),
    Fault::Once(
        "BODY.PEEK[]",
        "* 2 FETCH (UID {uid} FLAGS ())\r\n",
        "OK done",
    ),
    Fault::Once("BODY.PEEK[]", "", "OK done"),
    Fault::Once("RFC822.SIZE", "", REFUSED),
    Fault::Once("RFC822.SIZE", "* 2 FETCH (UID {uid})\r\n", "OK done"),
    Fault::Once("RFC822.SIZE", "", "OK done"),
    Fault::Once(
        "RFC822.SIZE",
        "* 2 FETCH (UID 99 RFC822.SIZE 9)\r\n",
        "OK done",
    ),
];

async fn with_three() -> Mailbox {
    let mut mailbox = Mailbox::open().await;
    mailbox.settings.done_folder = "Done".to_owned();
    mailbox.clock = Clock::manual(Time::parse("2026-11-26T12:00:00Z").unwrap());
    for subject in ["one", "two", "three"] {
        mailbox.server.deliver(message(subject));
    }
    mailbox
}

fn moved(mailbox: &Mailbox) -> usize {
    mailbox.server.read(|it| it.moved.len())
}

#[tokio::test]
async fn a_message_is_passed_over_only_if_the_server_says_that_it_is_gone() {
    for wrong in WRONG {
        let mailbox = with_three().await;
        mailbox.set_fault(wrong);
        let failure = mailbox.failure().await;
        assert_eq!(moved(&mailbox), 0, "{wrong:?}: {failure}");
        assert_eq!(mailbox.read().await, 3, "{wrong:?}");
        assert_eq!(mailbox.inbox.subjects(), ["one", "two", "three"]);
        assert_eq!(moved(&mailbox), 3, "{wrong:?}");
    }
}

#[tokio::test]
async fn a_message_that_is_gone_is_passed_over() {
    let mailbox = with_three().await;
    mailbox.set_fault(Fault::Once("SEARCH", "* SEARCH 1 2 3 7\r\n", "OK done"));
    mailbox.server.change(|it| it.next_uid = 8);
    assert_eq!(mailbox.read().await, 4);
    assert_eq!((mailbox.inbox.subjects().len(), moved(&mailbox)), (3, 3));
    assert_eq!(mailbox.read().await, 0);
}

#[tokio::test]
async fn a_refused_search_skips_nothing() {
    for end in ["NO [SERVERBUG] Internal error occurred", "BAD unknown"] {
        let mailbox = with_three().await;
        let fault = Fault::Once("UID SEARCH", "", end);
        // At the first read, after some messages, and after a new numbering.
        for (subjects, validity) in [(3, 1), (4, 1), (9, 2)] {
            if subjects == 4 {
                mailbox.server.deliver(message("four"));
            }
            if validity == 2 {
                mailbox.server.change(|it| {
                    it.uid_validity = 2;
                    it.inbox = (1..=5).map(|uid| (uid, message("new").into())).collect();
                    it.next_uid = 6;
                });
            }
            mailbox.set_fault(fault);
            assert!(mailbox.failure().await.starts_with("a command is refused"));
            mailbox.read().await;
            assert_eq!(mailbox.inbox.subjects().len(), subjects, "{end}");
        }
    }
}

#[tokio::test]
async fn a_search_without_a_result_moves_no_position() {
    let mailbox = with_three().await;
    mailbox.set_fault(Fault::Once("SEARCH", "", "OK done"));
    assert_eq!(mailbox.read().await, 0);
    assert_eq!(mailbox.read().await, 3);
}

#[tokio::test]
async fn a_folder_without_a_numbering_is_not_read() {
    let mailbox = with_three().await;
    let select = Fault::Once("SELECT", "* 3 EXISTS\r\n", "OK done");
    mailbox.set_fault(select);
    assert_eq!(
        mailbox.failure().await,
        "the server does not number its messages"
    );
    assert_eq!(mailbox.read().await, 3);
}

#[tokio::test]
async fn a_message_that_is_never_given_is_set_aside_by_name_and_tried_each_hour() {
    for fault in [
        Fault::Always("FETCH 2 (UID BODY", "", REFUSED),
        Fault::Always(
            "FETCH 2 (UID BODY",
            "* 2 FETCH (UID 2 BODY[] NIL)\r\n",
            "OK done",
        ),
        Fault::Always("FETCH 2 (UID RFC822.SIZE", "", REFUSED),
        Fault::Always(
            "FETCH 2 (UID BODY",
            "* 2 FETCH (UID 2 BODY[] {9000000000}\r\n",
            "OK done",
        ),
        Fault::HangUp("UID FETCH 2 (UID BODY"),
        Fault::Silent("UID FETCH 2 (UID BODY"),
    ] {
        let log = Log::start();
        let mailbox = with_three().await;
        mailbox.set_fault(fault);
        for _ in 0..4 {
            let _ = mailbox.reader().connect_and_read().await;
        }
        assert_eq!(mailbox.inbox.subjects(), ["one", "three"], "{fault:?}");
        assert_eq!(moved(&mailbox), 2, "{fault:?}: it stays where it is");
        assert_eq!(
            log.count("is set aside; read it in a mail program"),
            1,
            "{fault:?}"
        );
        let problems = mailbox.problems().await;
        assert!(problems.contains("(UID 2)"), "{fault:?}: {problems}");
        let asked = mailbox.server.read(|it| it.commands.len());
        assert_eq!(mailbox.read().await, 0);
        let since = mailbox.server.read(|it| it.commands[asked..].join("\n"));
        assert!(!since.contains("FETCH 2"), "{fault:?}: {since}");
        mailbox.clock.advance(HOUR_MS);
        let _ = mailbox.reader().connect_and_read().await;
        let since = mailbox.server.read(|it| it.commands[asked..].join("\n"));
        assert!(since.contains("FETCH 2"), "{fault:?}: {since}");
        mailbox.set_fault(Fault::None);
        mailbox.clock.advance(HOUR_MS);
        assert_eq!(mailbox.read().await, 1);
        assert_eq!(
            mailbox.inbox.subjects(),
            ["one", "three", "two"],
            "{fault:?}"
        );
        assert_eq!(mailbox.problems().await, "", "{fault:?}");
    }
}

#[tokio::test]
async fn a_message_that_is_never_stored_stops_no_other() {
    let mailbox = with_three().await;
    *mailbox.inbox.failures.lock() = 3;
    for _ in 0..3 {
        let _ = mailbox.reader().connect_and_read().await;
    }
    assert_eq!(mailbox.inbox.subjects(), ["two", "three"]);
    assert_eq!(moved(&mailbox), 2);
    mailbox.clock.advance(HOUR_MS);
    assert_eq!(mailbox.read().await, 1);
    assert_eq!(mailbox.inbox.subjects(), ["two", "three", "one"]);
}

#[tokio::test]
async fn what_was_set_aside_is_compared_after_a_new_numbering() {
    let mailbox = with_three().await;
    mailbox
        .server
        .change(|it| it.fault = Fault::Always("FETCH 2 (UID BODY", "", REFUSED));
    for _ in 0..4 {
        let _ = mailbox.reader().connect_and_read().await;
    }
    mailbox.clock.advance(30 * 24 * HOUR_MS);
    mailbox.server.change(|it| {
        it.fault = Fault::None;
        it.uid_validity = 2;
        it.inbox = vec![(1, message("two").into())];
        it.next_uid = 2;
    });
    let asked = mailbox.server.read(|it| it.commands.len());
    assert_eq!(mailbox.read().await, 1);
    let since = mailbox.server.read(|it| it.commands[asked..].join("\n"));
    assert!(since.contains("SINCE 19-Nov-2026"), "{since}");
    assert_eq!(mailbox.inbox.subjects(), ["one", "three", "two"]);
    assert_eq!(mailbox.problems().await, "");
}

#[tokio::test]
async fn a_mailbox_that_does_not_advance_for_an_hour_is_a_problem() {
    let mailbox = with_three().await;
    mailbox.read().await;
    assert_eq!(mailbox.problems().await, "");
    mailbox.set_fault(Fault::Password);
    let (_stop, stopped) = watch::channel(false);
    let running = tokio::spawn(mailbox.reader().run(stopped));
    let refused = mailbox.server.wait_for_next(0, "LOGIN");
    timeout(Duration::from_secs(40), refused).await.unwrap();
    mailbox.clock.advance(59 * MINUTE);
    assert_eq!(mailbox.problems().await, "");
    mailbox.clock.advance(MINUTE);
    let recorded = async {
        while !mailbox.problems().await.contains("the password is refused") {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(40), recorded).await.unwrap();
    running.abort();
    let problem = mailbox.problems().await;
    assert!(
        problem.contains("has not advanced for an hour: "),
        "{problem}"
    );
    mailbox.clock.advance(2 * HOUR_MS);
    assert!(mailbox.problems().await.contains("for 3 hours"));
    mailbox.set_fault(Fault::None);
    mailbox.read().await;
    assert_eq!(mailbox.problems().await, "");
}
