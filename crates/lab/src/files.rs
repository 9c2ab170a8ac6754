//! Writing files so that a full disk or a program that is ended never leaves half of one.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file or folder cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {error}", .path.display())]
pub struct WriteError {
    /// Which.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}

/// Writes a file so that it is there wholly or not at all: if that fails, a file that was there before is as it was. The
/// bytes go to a file beside it first, which then takes its place.
///
/// What is no plain file, as a device or a pipe, is written to directly, and so is a file in a folder in which no other
/// can be made. A link stays a link.
///
/// ```
/// use highroad_lab::files::write_whole;
/// let path = std::env::temp_dir().join(format!("highroad-whole-{}.txt", std::process::id()));
/// write_whole(&path, b"all of it")?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write(path, bytes).map_err(|error| WriteError { path: path.to_owned(), error })
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = match fs::metadata(path) {
        Ok(known) if !known.is_file() => return fs::write(path, bytes),
        Ok(known) => Some(known.permissions()),
        Err(_) => None,
    };
    let whole = if before.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let mut name = whole.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{}.part", std::process::id()));
    let part = whole.with_file_name(name);
    match write_part(&part, bytes, before.as_ref()) {
        Ok(()) => fs::rename(&part, &whole).inspect_err(|_| remove(&part)),
        Err(error) if error.kind() == ErrorKind::PermissionDenied && before.is_some() => {
            fs::write(&whole, bytes)
        }
        Err(error) => {
            remove(&part);
            Err(error)
        }
    }
}

fn write_part(part: &Path, bytes: &[u8], permissions: Option<&fs::Permissions>) -> io::Result<()> {
    let mut file = fs::File::create(part)?;
    file.write_all(bytes)?;
    // A full disk may show only now.
    file.sync_all()?;
    match permissions {
        Some(permissions) => fs::set_permissions(part, permissions.clone()),
        None => Ok(()),
    }
}

fn remove(part: &Path) {
    // It may not be there, and there is nothing else to be done about it.
    let _ = fs::remove_file(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("highroad-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_file_that_was_there_is_replaced_and_nothing_else_is_left() {
        let folder = folder("replaced");
        let file = folder.join("a.map");
        write_whole(&file, b"long before").unwrap();
        write_whole(&file, b"now").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"now");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("links");
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, b"before").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, b"after").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"after");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        fs::remove_dir_all(folder).unwrap();
    }

    /// `/dev/full` is a device on which there is never room.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_that_names_the_file() {
        let error = write_whole(Path::new("/dev/full"), b"some").unwrap_err();
        assert_eq!(error.error.kind(), ErrorKind::StorageFull);
        assert!(error.to_string().starts_with("cannot write /dev/full: "), "{error}");
        assert!(!fs::metadata("/dev/full").unwrap().is_file(), "the device is still there");
    }

    /// Not even the superuser can make a file there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_read_only_folder_is_an_error_and_leaves_nothing() {
        let path = Path::new("/proc/self/highroad.map");
        let error = write_whole(path, b"some").unwrap_err();
        assert_eq!(error.path, path);
        assert!(!path.exists());
    }
}
