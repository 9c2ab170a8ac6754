//! News: what the workbench says to its user.

use super::Shell;
use std::time::Duration;

/// How long news that are no errors stay.
const NEWS_SECONDS: u64 = 6;

/// Something to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The words.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
    since: Duration,
}

impl Shell {
    /// Says something.
    pub fn say(&mut self, text: impl Into<String>) {
        let since = self.seams.clock.now();
        self.news = Some(News { text: text.into(), is_error: false, since });
    }

    /// Says what went wrong.
    pub fn say_error(&mut self, text: impl Into<String>) {
        let since = self.seams.clock.now();
        self.news = Some(News { text: text.into(), is_error: true, since });
    }

    /// Takes over what modes have to say.
    pub(super) fn take_messages(&mut self) {
        for message in self.map.take_messages() {
            if message.is_error {
                self.say_error(message.text);
            } else {
                self.say(message.text);
            }
        }
    }

    /// Drops news that have been shown long enough. Errors stay until the user closes them.
    pub(super) fn drop_old_news(&mut self, now: Duration) {
        let old = Duration::from_secs(NEWS_SECONDS);
        if self.news.as_ref().is_some_and(|news| !news.is_error && now > news.since + old) {
            self.news = None;
        }
    }
}
