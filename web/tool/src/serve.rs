//! A server for one's own machine: files of one folder, nothing else.

use crate::build::say;
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::{fs, thread};

/// Serves a folder on this machine until it is stopped. Port 0 takes any that is free.
pub(crate) fn serve(folder: &Path, port: u16) -> Result<()> {
    let index = folder.join("index.html");
    index
        .metadata()
        .with_context(|| format!("{} is not there: build the page first", index.display()))?;
    let listener =
        TcpListener::bind(("127.0.0.1", port)).with_context(|| format!("port {port}"))?;
    say(&format!(
        "http://{}/ serves {}; Ctrl-C stops it",
        listener.local_addr()?,
        folder.display()
    ));
    for stream in listener.incoming() {
        let folder = folder.to_owned();
        // Whoever has gone away needs no answer.
        thread::spawn(move || stream.ok().map(|stream| answer(stream, &folder)));
    }
    Ok(())
}

fn answer(mut stream: TcpStream, folder: &Path) -> Result<()> {
    let mut line = String::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    reader.read_line(&mut line)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let address = line.split(' ').nth(1).unwrap_or("/");
    let (status, kind, body) =
        match file_of(address, folder).and_then(|file| Some((fs::read(&file).ok()?, file))) {
            Some((bytes, file)) => ("200 OK", kind_of(&file), bytes),
            None => ("404 Not Found", "text/plain", b"There is no such file.\n".to_vec()),
        };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)?;
    Ok(())
}

/// The file that an address means; `None` if it leads out of the folder.
fn file_of(address: &str, folder: &Path) -> Option<PathBuf> {
    let path = address.split(['?', '#']).next()?.trim_start_matches('/');
    let path = Path::new(path);
    if path.components().any(|part| !matches!(part, Component::Normal(_))) {
        return None;
    }
    let file = folder.join(path);
    Some(if file.is_dir() { file.join("index.html") } else { file })
}

fn kind_of(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
