use super::*;
use proptest::prelude::*;

fn problem(text: &str) -> (usize, usize, MapProblem) {
    let error = GridMap::from_movingai(text.as_bytes()).unwrap_err();
    (error.line, error.column, error.problem)
}

#[test]
fn every_malformed_text_is_named_with_line_and_column() {
    use MapProblem::*;
    let cases = [
        ("", (1, 1, MissingHeader("map"))),
        ("type octile\n", (1, 1, MissingHeader("map"))),
        ("type octile\nwidth 2\nmap\n..\n", (3, 1, MissingHeader("height"))),
        ("height 1\nwidth 2\nmap\n..\n", (3, 1, MissingHeader("type"))),
        ("type tile\n", (1, 6, UnknownType)),
        ("colour blue\n", (1, 1, UnknownHeader)),
        ("type octile\ntype octile\n", (2, 1, RepeatedHeader("type"))),
        ("type octile\nheight 1e3\n", (2, 8, BadSide)),
        ("type octile\nheight -4\n", (2, 8, BadSide)),
        ("type octile\nheight\n", (2, 7, BadSide)),
        ("type octile\nheight 0\n", (2, 8, BadSide)),
        ("type octile\nheight 16385\n", (2, 8, BadSide)),
        ("type octile\nheight 1000000000\nwidth 9\nmap\n", (2, 8, BadSide)),
        (
            "type octile\nheight 16384\nwidth 16384\nmap\n....\n",
            (4, 1, TooShort { width: 16_384, height: 16_384 }),
        ),
        ("type octile\nheight 1\nwidth 2\nmap\n.x\n", (5, 2, UnknownLetter(b'x'))),
        ("type octile\nheight 2\nwidth 2\nmap\n...\n..\n", (5, 3, RowTooLong { width: 2 })),
        (
            "type octile\nheight 2\nwidth 3\nmap\n..\n.....\n",
            (5, 3, RowTooShort { found: 2, width: 3 }),
        ),
        ("type octile\nheight 1\nwidth 2\nmap\n..\n\n .\n", (7, 2, TextAfterMap)),
    ];
    for (text, expected) in cases {
        assert_eq!(problem(text), expected, "{text:?}");
    }
}

#[test]
fn drawings_are_checked_like_files() {
    let error = |drawing: &str| drawing.parse::<GridMap>().unwrap_err();
    assert_eq!(error("\n  \n").problem, MapProblem::Empty);
    assert_eq!(error("..\n.?\n").problem, MapProblem::UnknownLetter(b'?'));
    let short = error("  ...\n  ..\n");
    assert_eq!((short.line, short.column), (2, 5));
}

#[test]
fn line_ends_the_last_newline_and_blank_lines_survive() {
    for text in [
        "type octile\nheight 2\nwidth 2\nmap\n.@\nGO\n",
        "type octile\nheight 2\nwidth 2\nmap\n.@\nGO",
        "type octile\r\nheight 2\r\nwidth 2\r\nmap\r\n.@\r\nGO\r\n",
        "height 2\nwidth\t2 \ntype octile\nmap\n.@\r\nGO\n\n \n",
        "type octile\nheight 2\nwidth 2\nmap\n.@\nGO\n# one\n\n  #two\r\n",
    ] {
        let map = GridMap::from_movingai(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(map.to_movingai()).unwrap(), text);
    }
}

#[test]
fn comments_are_lines_of_their_own_whatever_comes_before() {
    for end in ["", "\n", "\n\n ", "\n# older"] {
        let text = format!("type octile\nheight 1\nwidth 2\nmap\n.@{end}");
        let mut map = GridMap::from_movingai(text.as_bytes()).unwrap();
        map.add_comment("first\n  second  ");
        let again = GridMap::from_movingai(&map.to_movingai()).unwrap();
        assert_eq!(again, map);
        let comments: Vec<_> = again.comments().collect();
        assert!(comments.ends_with(&["first".into(), "second".into()]), "{comments:?}");
        assert_eq!(comments.len(), 2 + usize::from(end.contains("older")));
    }
    assert_eq!("..\n".parse::<GridMap>().unwrap().comments().count(), 0);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(map) = GridMap::from_movingai(&bytes) {
            prop_assert_eq!(map.to_movingai(), bytes);
        }
    }

    /// Bytes that resemble a map get past the header.
    #[test]
    fn texts_like_maps_are_read_as_they_are_or_refused(
        height in 0u32..4,
        width in 0u32..4,
        rows in "[.@GOTSWAPx\r\n]{0,20}",
        head_end in "(\n|\r\n)",
    ) {
        let text = format!("type octile{head_end}height {height}\nwidth {width}{head_end}map\n{rows}");
        if let Ok(map) = GridMap::from_movingai(text.as_bytes()) {
            prop_assert_eq!(map.to_movingai(), text.as_bytes());
        }
    }

    #[test]
    fn any_drawing_is_read_or_refused_without_panic(drawing in "[.#@S \n\u{e9}]{0,40}") {
        if let Ok(map) = drawing.parse::<GridMap>() {
            prop_assert_eq!(&map.to_string().parse::<GridMap>().unwrap(), &map);
        }
    }
}

#[test]
fn a_byte_order_mark_is_accepted_and_kept() {
    let text = b"\xef\xbb\xbftype octile\nheight 1\nwidth 3\nmap\n.@T\n";
    let map = GridMap::from_movingai(text).unwrap();
    assert_eq!((map.to_string().as_str(), map.to_movingai()), (".@T\n", text.to_vec()));
    let drawn: GridMap = "\u{feff}.#T\n".parse().unwrap();
    assert_eq!(drawn.to_string(), ".@T\n");
}
