//! Asking for a file: by the system's own dialog where there is one, else by that of the workbench.
//!
//! The system's dialog runs on a worker, so that the window goes on meanwhile. Where it cannot be shown, which is known only
//! by trying, the workbench's own takes its place from then on.

use super::{Browser, Dialog, FilePurpose, Shell};
use crate::seams::{AskedAnswer, AskedFile, FileDialogs};
use crate::shared::job::{Job, JobState};
use std::path::PathBuf;
use std::sync::Arc;

/// The system's dialog, and what it is asked.
#[derive(Default)]
pub(super) struct Asking {
    job: Option<(Job<AskedAnswer>, Browser)>,
    /// Whether the system has turned out to have no dialog.
    has_none: bool,
}

impl Shell {
    /// Lets a file be chosen.
    pub(super) fn show_browser(&mut self, browser: Browser) {
        if self.asking.job.is_some() {
            return self.say("The dialog for a file is open already.");
        }
        match self.seams.dialogs.clone().filter(|_| !self.asking.has_none) {
            Some(dialogs) => self.ask_system(dialogs, browser),
            None => self.dialog = Some(Dialog::File(browser)),
        }
    }

    fn ask_system(&mut self, dialogs: Arc<dyn FileDialogs>, browser: Browser) {
        self.dialog = None;
        let purpose = browser.purpose;
        let ending = |ending: &&str| ending.trim_start_matches('.').to_owned();
        let asked = AskedFile {
            title: purpose.title().to_owned(),
            folder: browser.folder.clone(),
            new_name: (purpose != FilePurpose::Open).then(|| browser.name.clone()),
            kind: purpose.kind().to_owned(),
            endings: purpose.endings().iter().map(ending).collect(),
        };
        let what = "waiting for a file to be chosen";
        let job = Job::start(&self.seams, what, move |_| dialogs.ask(&asked));
        self.asking.job = Some((job, browser));
    }

    /// Takes what the system's dialog has answered.
    pub(super) fn poll_asking(&mut self) {
        let Some((job, _)) = &self.asking.job else { return };
        let answer = match job.poll() {
            JobState::Running => return,
            JobState::Done(answer) => answer,
            JobState::Lost => AskedAnswer::NoDialog,
        };
        let Some((_, browser)) = self.asking.job.take() else { return };
        match answer {
            AskedAnswer::Chosen(path) => self.take_chosen(browser, path),
            AskedAnswer::Cancelled => self.after_saving = None,
            AskedAnswer::NoDialog => {
                self.asking.has_none = true;
                self.dialog = Some(Dialog::File(browser));
            }
        }
    }

    /// The system's dialog has asked already whether a file is to be replaced, but not if its name gets another ending.
    fn take_chosen(&mut self, mut browser: Browser, path: PathBuf) {
        browser.folder = path.parent().map(PathBuf::from).unwrap_or_default();
        browser.name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (purpose, meant) = (browser.purpose, browser.path().unwrap_or_else(|| path.clone()));
        if purpose != FilePurpose::Open && meant == path {
            self.write_file(purpose, path);
        } else {
            self.choose_file(browser, meant);
        }
    }
}
