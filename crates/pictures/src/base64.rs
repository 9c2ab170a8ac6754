//! Pictures inside of text: bytes in base64 (RFC 4648).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends a PNG file as an address that holds the whole file: what the `href` of an SVG image may be.
pub fn push_png_url(text: &mut String, png: &[u8]) {
    text.push_str("data:image/png;base64,");
    push_base64(text, png);
}

/// Appends bytes as base64.
fn push_base64(text: &mut String, bytes: &[u8]) {
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let letter = LETTERS[(bits >> shift & 63) as usize];
            text.push(if index <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let mut text = String::new();
            push_base64(&mut text, plain.as_bytes());
            assert_eq!(text, expected);
        }
    }
}
