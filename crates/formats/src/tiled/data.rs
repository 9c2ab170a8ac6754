//! The numbers of tiles: separated by commas, or as bytes in base64, packed or not.

use crate::DEFLATE_RATIO_MAX;
use crate::base64::parse_base64;
use std::io::{BufReader, Read};

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
            match compression {
                "" => numbers(&bytes[..], bytes.len() as u64 / 4),
                "zlib" => unpack(&bytes, cells, flate2::read::ZlibDecoder::new),
                "gzip" => unpack(&bytes, cells, flate2::read::GzDecoder::new),
                _ => Err(format!(
                    "the compression '{compression}' is not known; save the level with CSV, zlib or gzip"
                )),
            }
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

/// Unpacks the numbers of so many tiles, if the data can hold them.
fn unpack<'b, R: Read>(
    bytes: &'b [u8],
    cells: u64,
    decoder: impl Fn(&'b [u8]) -> R,
) -> Result<Vec<u32>, String> {
    if cells.saturating_mul(4) > (bytes.len() as u64).saturating_mul(DEFLATE_RATIO_MAX) {
        return Err(format!("{} packed bytes cannot hold {cells} tiles", bytes.len()));
    }
    // A number more than there should be shows that there are more.
    let most = cells.saturating_mul(4).saturating_add(4);
    numbers(decoder(bytes).take(most), cells)
}

/// Numbers of four bytes each, the lowest first; room is made for `count` of them.
fn numbers(bytes: impl Read, count: u64) -> Result<Vec<u32>, String> {
    let mut gids = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
    let mut bytes = BufReader::new(bytes);
    let mut number = [0; 4];
    loop {
        let mut filled = 0;
        while filled < number.len() {
            match bytes.read(&mut number[filled..]) {
                Ok(0) if filled == 0 => return Ok(gids),
                Ok(0) => {
                    let all = gids.len() * number.len() + filled;
                    return Err(format!("{all} bytes are no numbers of four bytes each"));
                }
                Ok(more) => filled += more,
                Err(error) => return Err(format!("the data cannot be unpacked: {error}")),
            }
        }
        gids.push(u32::from_le_bytes(number));
    }
}
