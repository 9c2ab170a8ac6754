//! The numbers of tiles: separated by commas, or as bytes in base64, packed or not.

use crate::base64::parse_base64;
use std::io::Read;

/// Reads the numbers of `cells` tiles.
pub(super) fn read_gids(
    text: &str,
    encoding: &str,
    compression: &str,
    cells: u64,
) -> Result<Vec<u32>, String> {
    match (encoding, compression) {
        ("csv", _) => read_csv(text),
        ("base64", _) => {
            let bytes = parse_base64(text).ok_or("the data is no base64")?;
            let bytes = unpack(bytes, compression, cells)?;
            if bytes.len() % 4 != 0 {
                return Err(format!("{} bytes are no numbers of four bytes each", bytes.len()));
            }
            let number = |bytes: &[u8]| {
                let bytes = bytes.iter().rev();
                bytes.fold(0, |number, &byte| number << 8 | u32::from(byte))
            };
            Ok(bytes.chunks_exact(4).map(number).collect())
        }
        _ => Err(format!("the encoding '{encoding}' is not known; known are csv and base64")),
    }
}

fn read_csv(text: &str) -> Result<Vec<u32>, String> {
    let mut gids = Vec::new();
    for (row, line) in (1..).zip(text.trim().lines()) {
        let words = line.split(',').map(str::trim).filter(|word| !word.is_empty());
        for word in words {
            let gid = word.parse();
            gids.push(gid.map_err(|_| format!("'{word}' in row {row} is no tile's number"))?);
        }
    }
    Ok(gids)
}

/// Unpacks bytes, no more of them than there should be and one.
fn unpack(bytes: Vec<u8>, compression: &str, cells: u64) -> Result<Vec<u8>, String> {
    let most = cells.saturating_mul(4).saturating_add(1);
    let mut unpacked = Vec::new();
    let read = match compression {
        "" => return Ok(bytes),
        "zlib" => flate2::read::ZlibDecoder::new(&bytes[..]).take(most).read_to_end(&mut unpacked),
        "gzip" => flate2::read::GzDecoder::new(&bytes[..]).take(most).read_to_end(&mut unpacked),
        _ => {
            return Err(format!(
                "the compression '{compression}' is not known; save the level with CSV, zlib or gzip"
            ));
        }
    };
    read.map_err(|error| format!("the data cannot be unpacked: {error}"))?;
    Ok(unpacked)
}
