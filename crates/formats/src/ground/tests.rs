use super::*;
use highroad_core::Terrain;
use proptest::prelude::*;

fn nothing(_: &str) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::NotFound.into())
}

fn map() -> GridMap {
    "....\n....\n....\n".parse().unwrap()
}

fn error(text: &str) -> String {
    decode_ground(&mut map(), text, &nothing).unwrap_err().to_string()
}

/// Each message names the place, and what is wrong there.
#[test]
fn errors_say_where() {
    for (text, message) in [
        ("a = 1\n", "line 1, column 1: unknown field `a`"),
        ("\n[[links]]\nfrom = \"a\"\nto = [0, 0]\ncost = 1\n", "line 3, column 8: "),
        (
            "[[borders]]\ncells = [0, 0, 3, 0]\nside = \"east\"\npass = \"none\"\n",
            "line 1, column 1: the east border of (3, 0) is not between two cells",
        ),
        (
            "[[borders]]\ncells = [0, 2, 3, 2]\nside = \"south\"\npass = \"none\"\n",
            "line 1, column 1: the south border of (3, 2) is not between two cells",
        ),
        (
            "[[borders]]\ncells = [0, 0, 1, 0]\nside = \"north\"\npass = \"none\"\n",
            "line 3, column 8: ",
        ),
        (
            "[[links]]\nfrom = [1, 1]\nto = [1, 1]\ncost = 5\n",
            "line 1, column 1: the link from (1, 1) to (1, 1): it ends where it begins",
        ),
        (
            "\n\n[[links]]\nfrom = [1, 1]\nto = [9, 1]\ncost = 5\n",
            "line 3, column 1: the link from (1, 1) to (9, 1): (9, 1) lies outside the map",
        ),
        ("[[links]]\nfrom = [1, 1]\nto = [0, 1]\ncost = -5\n", "line 4, column 8: "),
        (
            "[[borders]]\ncells = [0, 0, 9999, 9999]\nside = \"east\"\npass = \"none\"\n",
            "line 1, column 1: the rectangles of borders",
        ),
        ("heights = \"no.png\"\n", "line 1, column 11: cannot read the heights in 'no.png'"),
    ] {
        let found = error(text);
        assert!(found.starts_with(message), "{text}: {found}");
    }
}

#[test]
fn heights_of_another_size_and_no_heights_are_refused_where_they_are() {
    let read = |bytes: &[u8]| {
        let beside = |_: &str| Ok(bytes.to_vec());
        decode_ground(&mut map(), "heights = \"h\"\n", &beside).map_err(|error| error.to_string())
    };
    assert_eq!(read(b"0 1 2 3\n4 5 6 7\n8 9 65535 0\n"), Ok(()));
    for (bytes, message) in [
        (
            &b"0 1 2 3\n4 5 6 7\n"[..],
            "line 1, column 11: heights of 4 × 2 cells for a map of 4 × 3",
        ),
        (b"0 1 2 3\n4 5 6\n8 9 1 1\n", "h, line 2, column 1: heights of 3 × 3 cells"),
        (b"0 1 2 3\n4  5 x 7\n8 9 1 1\n", "h, line 2, column 6: 'x' is no height from 0 to 65535"),
        (b"0 1 2 3\n4 5 65536 7\n8 9 1 1\n", "h, line 2, column 5: '65536' is no height"),
        (b"\xff\xfe", "line 1, column 11: the heights in 'h' are no picture"),
        (b"\x89PNG\r\n", "line 1, column 11: the heights in 'h' are no picture"),
    ] {
        let found = read(bytes).unwrap_err();
        assert!(found.starts_with(message), "{found}");
    }
}

/// A picture of 8 bits says heights up to 255; one in colours is refused.
#[test]
fn pictures_of_eight_bits_are_heights_too() {
    let png = |colour: png::ColorType, samples: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 4, 3);
        encoder.set_color(colour);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(samples).unwrap();
        writer.finish().unwrap();
        bytes
    };
    let read = |bytes: Vec<u8>| {
        let mut map = map();
        decode_ground(&mut map, "heights = \"h\"\n", &|_| Ok(bytes.clone())).map(|()| map)
    };
    let grey = read(png(png::ColorType::Grayscale, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255]));
    let grey = grey.unwrap();
    assert_eq!((grey.height((1, 0).into()), grey.height((3, 2).into())), (Some(1), Some(255)));
    let colours = read(png(png::ColorType::Rgb, &[7; 36])).unwrap_err().to_string();
    assert!(colours.contains("in shades of grey"), "{colours}");
}

const WHOLE: &str = "heights = \"h\"\n[[borders]]\ncells = [0, 0, 2, 0]\nside = \"east\"\npass = \"back\"\n\
    [[links]]\nfrom = [0, 0]\nto = [3, 2]\ncost = 7\nboth_ways = true\nkind = 2\n";

proptest! {
    /// Whatever is in the files, it is read or refused.
    #[test]
    fn broken_files_are_refused(
        at in 0usize..WHOLE.len(),
        with in "\\PC{0,3}",
        heights in proptest::collection::vec(any::<u8>(), 0..40),
        number in any::<u32>(),
    ) {
        let text = format!("{}{with}{}", &WHOLE[..at], &WHOLE[at..]);
        let larger = WHOLE.replace('3', &number.to_string());
        for text in [text.as_str(), &WHOLE[..at], &larger] {
            let read = decode_ground(&mut map(), text, &|_| Ok(heights.clone()));
            if let Err(error) = read {
                prop_assert!(error.line > 0 && error.column > 0, "{error}");
            }
        }
        let good = b"0 0 0 0\n0 0 0 0\n0 0 0 0\n".to_vec();
        prop_assert!(decode_ground(&mut map(), WHOLE, &|_| Ok(good.clone())).is_ok());
    }

    #[test]
    fn what_is_written_is_read_again(
        (width, height) in (1u32..9, 1u32..9),
        heights in proptest::collection::vec((0u32..9, 0u32..9, any::<u16>()), 0..9),
        borders in proptest::collection::vec((0u32..9, 0u32..9, any::<bool>(), 0usize..4), 0..30),
        links in proptest::collection::vec((0u32..9, 0u32..9, 0u32..9, 0u32..9, 1u32..99, any::<bool>(), 0u16..3), 0..5),
    ) {
        let mut map = GridMap::filled(width, height, Terrain::GROUND).unwrap();
        for (x, y, height) in heights {
            map.set_height(Cell::new(x, y), height);
        }
        for (x, y, east, border) in borders {
            let side = if east { BorderSide::East } else { BorderSide::South };
            map.set_border(Cell::new(x, y), side, Border::ALL[border]);
        }
        for (x, y, to_x, to_y, cost, both_ways, kind) in links {
            let link = Link { both_ways, ..Link::new((x, y), (to_x, to_y), cost) };
            let link = if kind == 0 { link } else { link.with_kind(KindId(kind)) };
            map.add_link(link).ok();
        }
        for form in [HeightForm::Picture, HeightForm::Matrix] {
            let mut again = GridMap::filled(width, height, Terrain::GROUND).unwrap();
            if let Some(written) = encode_ground(&map, "a \"map\".txt", form).unwrap() {
                let beside = |name: &str| match &written.heights {
                    Some((known, bytes)) if known == name => Ok(bytes.clone()),
                    _ => nothing(name),
                };
                decode_ground(&mut again, &written.text, &beside).unwrap();
            }
            prop_assert_eq!(&again, &map);
        }
    }
}
