//! Bytes out of text in base64 (RFC 4648).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes of a text in base64, white space passed over; `None` if it is none.
pub(crate) fn parse_base64(text: &str) -> Option<Vec<u8>> {
    let letters: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let padding = letters.iter().rev().take_while(|&&letter| letter == b'=').count();
    let letters = &letters[..letters.len() - padding];
    if padding > 2 || (padding > 0 && !(letters.len() + padding).is_multiple_of(4)) {
        return None;
    }
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    for group in letters.chunks(4) {
        let mut bits = 0u32;
        for &letter in group {
            let digit = LETTERS.iter().position(|&known| known == letter)?;
            bits = bits << 6 | digit as u32;
        }
        bits <<= 6 * (4 - group.len());
        let [_, first, second, third] = bits.to_be_bytes();
        match group.len() {
            4 => bytes.extend([first, second, third]),
            3 => bytes.extend([first, second]),
            2 => bytes.push(first),
            _ => return None,
        }
    }
    Some(bytes)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes as base64. Nothing here writes any but the tests.
    pub(crate) fn encoded(bytes: &[u8]) -> String {
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
                let letter = LETTERS[(bits >> shift & 63) as usize];
                text.push(if index <= chunk.len() { char::from(letter) } else { '=' });
            }
        }
        text
    }

    #[test]
    fn base64_is_as_the_standard_says() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, expected) in cases {
            assert_eq!(encoded(plain.as_bytes()), expected);
            assert_eq!(parse_base64(expected).unwrap(), plain.as_bytes());
        }
        for wrong in ["Z", "Zg=", "Zg===", "Z=g=", "Zm9ü", "====", "Zm9v="] {
            assert_eq!(parse_base64(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_nothing_panics(
            bytes in prop::collection::vec(any::<u8>(), 0..80),
            text in "[A-Za-z0-9+/= \n]{0,40}",
        ) {
            prop_assert_eq!(parse_base64(&encoded(&bytes)), Some(bytes));
            let _ = parse_base64(&text);
        }
    }
}
