//! Files: those that were opened or dropped are kept in memory, those that are written are downloads, and settings are in the
//! browser's local storage.

use crate::host;
use highroad_workbench::seams::{AskedAnswer, AskedFile, FileDialogs, Files, FolderEntry};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use wasm_bindgen::prelude::*;

/// Under which name settings are in the local storage.
const SETTINGS: &str = "highroad-workbench";

/// What is known of a file: its bytes, or why it was not read.
type Content = Result<Vec<u8>, String>;

static SHELF: Mutex<BTreeMap<PathBuf, Content>> = Mutex::new(BTreeMap::new());

fn shelf() -> MutexGuard<'static, BTreeMap<PathBuf, Content>> {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a file of that name is kept.
pub(crate) fn path_of(name: &str) -> PathBuf {
    Path::new("/files").join(name)
}

/// Keeps a file that was opened or dropped.
#[wasm_bindgen]
pub fn put_file(name: &str, bytes: Vec<u8>) {
    shelf().insert(path_of(name), Ok(bytes));
}

/// Keeps the reason why a file was not read: whoever opens it is told.
#[wasm_bindgen]
pub fn refuse_file(name: &str, reason: &str) {
    shelf().insert(path_of(name), Err(reason.to_owned()));
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// Whether the browser lets the page keep something.
pub(crate) fn remembers() -> bool {
    const PROBE: &str = "highroad-probe";
    storage().is_some_and(|storage| {
        storage.set_item(PROBE, "1").is_ok() && storage.remove_item(PROBE).is_ok()
    })
}

fn preferences_path() -> PathBuf {
    PathBuf::from("/settings").join(SETTINGS)
}

/// The browser's files.
pub(crate) struct BrowserFiles;

impl Files for BrowserFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let missing =
            || io::Error::new(io::ErrorKind::NotFound, "the page has no such file; open it again");
        if path == preferences_path() {
            let text = storage().and_then(|storage| storage.get_item(SETTINGS).ok().flatten());
            return text.map(String::into_bytes).ok_or_else(missing);
        }
        match shelf().get(path) {
            Some(Ok(bytes)) => Ok(bytes.clone()),
            Some(Err(reason)) => Err(io::Error::other(reason.clone())),
            None => Err(missing()),
        }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if path == preferences_path() {
            let text = String::from_utf8_lossy(bytes);
            let stored = storage().map(|storage| storage.set_item(SETTINGS, &text).is_ok());
            let refused = || io::Error::other("the browser keeps nothing for this page");
            return stored.filter(|&stored| stored).map(|_| ()).ok_or_else(refused);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        host::save(&name, bytes);
        shelf().insert(path.to_owned(), Ok(bytes.to_vec()));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        shelf().remove(path);
        Ok(())
    }

    fn exists(&self, path: &Path) -> bool {
        shelf().contains_key(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        path == Path::new("/files")
    }

    fn list(&self, _folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let name =
            |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let names = shelf().keys().filter_map(name).collect::<Vec<_>>();
        Ok(names.into_iter().map(|name| FolderEntry { is_file: true, name }).collect())
    }

    fn home(&self) -> PathBuf {
        PathBuf::from("/files")
    }

    fn preferences(&self) -> Option<PathBuf> {
        remembers().then(preferences_path)
    }
}

/// The browser's dialog for opening files. A file to be written is a download, which the browser puts where it is used to.
pub(crate) struct BrowserDialogs;

impl FileDialogs for BrowserDialogs {
    fn ask(&self, asked: &AskedFile) -> AskedAnswer {
        if let Some(name) = &asked.new_name {
            return AskedAnswer::Chosen(path_of(name));
        }
        let endings: Vec<String> =
            asked.endings.iter().map(|ending| format!(".{ending}")).collect();
        host::ask(&endings.join(","));
        // The host opens what is chosen: nobody waits here.
        AskedAnswer::Cancelled
    }
}
