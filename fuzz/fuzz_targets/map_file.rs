//! Any bytes are refused, or read as a map that survives every format.
#![no_main]

use highroad_formats::{MapFormat, ReadOptions, decode_map, encode_map};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions::default();
    let nothing = |_: &str| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    let Ok(map) = decode_map(bytes, Path::new(""), &options, &nothing) else { return };
    for (ending, format) in MapFormat::ENDINGS {
        let encoded = encode_map(&map, format, "x").expect("memory is written to");
        let name = format!("x.{ending}");
        let again = decode_map(&encoded.bytes, Path::new(&name), &options, &nothing);
        assert_eq!(again.expect("it was written here"), map);
    }
});
