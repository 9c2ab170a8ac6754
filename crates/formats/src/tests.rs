use super::*;
use proptest::prelude::*;

fn nothing(_: &str) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::from(std::io::ErrorKind::NotFound))
}

fn decode(bytes: &[u8], options: &ReadOptions) -> Result<GridMap, String> {
    decode_map(bytes, Path::new(""), options, &nothing).map_err(|error| error.to_string())
}

fn plain(text: &str) -> Result<GridMap, String> {
    decode(text.as_bytes(), &ReadOptions::default())
}

fn with(tiles: TileRule) -> ReadOptions {
    ReadOptions { tiles, ..ReadOptions::default() }
}

/// A level of one or more layers: each its attributes and its data element.
fn level(tiles: &str, layers: &[(&str, &str)]) -> String {
    let layers: String = layers
        .iter()
        .map(|(attributes, data)| {
            format!("<layer {attributes} width=\"3\" height=\"2\">\n{data}\n</layer>\n")
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?>\n<map width=\"3\" height=\"2\">\n\
         <tileset firstgid=\"1\" name=\"t\" tilecount=\"9\">\n{tiles}\n</tileset>\n{layers}</map>\n"
    )
}

fn tile(id: u32, name: &str, kind: &str, value: &str) -> String {
    format!(
        "<tile id=\"{id}\"><properties><property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>\
         </properties></tile>"
    )
}

const CSV: &str = "<data encoding=\"csv\">\n1,2,1,\n2,1,0\n</data>";

#[test]
fn a_property_that_is_true_or_false_says_what_is_walkable_or_blocked() {
    let walkable = level(&tile(0, "walkable", "bool", "true"), &[("name=\"a\"", CSV)]);
    assert_eq!(plain(&walkable).unwrap().to_string(), ".@.\n@.@\n");
    let solid = level(&tile(1, "solid", "bool", "true"), &[("name=\"a\"", CSV)]);
    assert_eq!(plain(&solid).unwrap().to_string(), ".@.\n@..\n");
    let empty = with(TileRule { empty: Some(Terrain::WATER), ..TileRule::default() });
    assert_eq!(decode(solid.as_bytes(), &empty).unwrap().to_string(), ".@.\n@.W\n");
}

#[test]
fn text_and_numbers_are_terrain_and_costs() {
    let tiles = tile(0, "terrain", "string", "swamp") + &tile(1, "terrain", "string", "W");
    let text = level(&tiles, &[("name=\"a\"", CSV)]);
    assert_eq!(plain(&text).unwrap().to_string(), "SWS\nWS@\n");
    let tiles = tile(0, "cost", "int", "3") + &tile(1, "cost", "int", "0");
    let costs = level(&tiles, &[("name=\"a\"", CSV)]);
    assert_eq!(plain(&costs).unwrap().to_string(), "C@C\n@C@\n");
    let class =
        level("<tile id=\"0\" class=\"Water\"/><tile id=\"1\" type=\"wall\"/>", &[("", CSV)]);
    assert_eq!(plain(&class).unwrap().to_string(), "W@W\n@W@\n");
}

#[test]
fn upper_layers_go_over_lower_ones_and_hidden_ones_do_not_count() {
    let tiles = tile(0, "walkable", "bool", "true") + &tile(1, "walkable", "bool", "false");
    let over = "<data encoding=\"csv\">0,0,2,0,0,1</data>";
    // Tile 3 has no property: it is decoration, and does not hide what lies below.
    let decoration = "<data encoding=\"csv\">3,3,3,3,3,3</data>";
    let layers = [("name=\"ground\"", CSV), ("name=\"over\"", over), ("name=\"d\"", decoration)];
    assert_eq!(plain(&level(&tiles, &layers)).unwrap().to_string(), ".@@\n@..\n");
    let hidden = [("name=\"ground\"", CSV), ("name=\"over\" visible=\"0\"", over)];
    let hidden = level(&tiles, &hidden);
    assert_eq!(plain(&hidden).unwrap().to_string(), ".@.\n@.@\n");
    let named = with(TileRule { layer: Some("over".into()), ..TileRule::default() });
    assert_eq!(decode(hidden.as_bytes(), &named).unwrap().to_string(), "@@@\n@@.\n");
}

#[test]
fn every_encoding_of_the_data_gives_the_same_map() {
    use crate::base64::tests::encoded as base64;
    use std::io::Write;
    let bytes: Vec<u8> =
        [1u32, 0x8000_0002, 1, 2, 1, 0].iter().flat_map(|g| g.to_le_bytes()).collect();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    zlib.write_all(&bytes).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(&bytes).unwrap();
    let (zlib, gzip) = (base64(&zlib.finish().unwrap()), base64(&gzip.finish().unwrap()));
    let tiles = tile(0, "walkable", "bool", "true");
    for data in [
        CSV.to_owned(),
        format!("<data encoding=\"base64\">\n  {}\n</data>", base64(&bytes)),
        format!("<data encoding=\"base64\" compression=\"zlib\">{zlib}</data>"),
        format!("<data encoding=\"base64\" compression=\"gzip\">{gzip}</data>"),
        "<data><tile gid=\"1\"/><tile gid=\"2\"/><tile gid=\"1\"/><tile gid=\"2\"/>\
         <tile gid=\"1\"/><tile/></data>"
            .to_owned(),
        "<data encoding=\"csv\"><chunk x=\"-3\" y=\"-9\" width=\"3\" height=\"1\">1,2,1</chunk>\
         <chunk x=\"-3\" y=\"-8\" width=\"2\" height=\"1\">2,1</chunk></data>"
            .to_owned(),
    ] {
        let map = plain(&level(&tiles, &[("name=\"a\"", &data)]));
        assert_eq!(map.unwrap().to_string(), ".@.\n@.@\n", "{data}");
    }
    let json = format!(
        r#"{{"tilesets":[{{"firstgid":1,"name":"t","tiles":[{{"id":0,"properties":[
        {{"name":"walkable","type":"bool","value":true}}]}}]}}],"layers":[{{"type":"group","layers":[
        {{"type":"tilelayer","name":"a","width":3,"height":2,"compression":"zlib","data":"{zlib}"}}]}}]}}"#
    );
    assert_eq!(plain(&json).unwrap().to_string(), ".@.\n@.@\n");
}

#[test]
fn packed_data_takes_no_more_memory_than_the_level_may_have() {
    use crate::base64::tests::encoded as base64;
    use std::io::Write;
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    zlib.write_all(&vec![0; 1 << 20]).unwrap();
    let packed = base64(&zlib.finish().unwrap());
    let level = |width: u64, height: u64, layers: usize| {
        let layer = format!(
            "<layer name=\"a\" width=\"{width}\" height=\"{height}\">\
             <data encoding=\"base64\" compression=\"zlib\">{packed}</data></layer>"
        );
        plain(&format!("<map>{}</map>", layer.repeat(layers))).unwrap_err()
    };
    let error = level(4_000_000_000, 4_000_000_000, 1);
    assert!(error.contains("the level has more than 268435456 in all layers"), "{error}");
    let error = level(16_384, 16_384, 1);
    assert!(error.contains("packed bytes cannot hold 268435456 tiles"), "{error}");
    let error = level(100, 100, 1);
    // One more than announced is unpacked, and no more.
    assert!(error.contains("100 × 100 tiles were announced, but there are 10001"), "{error}");
}

#[test]
fn a_byte_order_mark_is_accepted_in_every_format() {
    let map: GridMap = "..T\n.@.\n".parse().unwrap();
    for format in [MapFormat::MovingAi, MapFormat::Drawing, MapFormat::Tmx, MapFormat::Tmj] {
        let mut bytes = b"\xef\xbb\xbf".to_vec();
        bytes.extend(encode_map(&map, format, "level").unwrap().bytes);
        let read = map_from_bytes(&bytes).unwrap_or_else(|error| panic!("{format:?}: {error}"));
        assert_eq!(read.to_string(), map.to_string(), "{format:?}");
    }
}

#[test]
fn tilesets_may_lie_beside_the_level() {
    let text = "<map><tileset firstgid=\"5\" source=\"sub/t.tsx\"/><layer name=\"a\" width=\"2\" \
                height=\"1\"><data encoding=\"csv\">5,6</data></layer></map>";
    let xml = "<tileset name=\"t\"><tile id=\"0\"><properties><property name=\"solid\" \
               type=\"bool\" value=\"true\"/></properties></tile></tileset>";
    let json = r#"{"name":"t","tiles":[{"id":0,"properties":[{"name":"solid","value":true}]}]}"#;
    for (mark, tileset) in [("", xml), ("", json), ("\u{feff}", xml), ("\u{feff}", json)] {
        let beside = |file: &str| {
            assert_eq!(file, "sub/t.tsx");
            Ok(format!("{mark}{tileset}").into_bytes())
        };
        let map = decode_map(text.as_bytes(), Path::new(""), &ReadOptions::default(), &beside);
        assert_eq!(map.unwrap().to_string(), "@.\n");
    }
    let error = plain(text).unwrap_err();
    assert!(
        error.starts_with("line 1: the tileset 'sub/t.tsx' beside it cannot be read"),
        "{error}"
    );
}

#[test]
fn what_is_wrong_with_a_level_is_named_with_its_place() {
    let walkable = tile(0, "walkable", "bool", "true");
    let error = |text: &str| plain(text).unwrap_err();
    let layer = |tiles: &str, data: &str| error(&level(tiles, &[("name=\"floor\"", data)]));
    assert!(error("<map><layer></map>").contains("no XML"), "{}", error("<map><layer></map>"));
    assert!(error("<svg/>").contains("line 1: expected a level of Tiled"));
    assert!(error("<map orientation=\"hexagonal\"/>").contains("no square cells"));
    assert!(error("<map/>").contains("no visible layer of tiles; in all there are: none"));
    assert_eq!(
        layer(&walkable, "<data encoding=\"csv\">1,2,x,2,1,0</data>"),
        "line 6, layer 'floor': 'x' in row 1 is no tile's number"
    );
    assert!(layer(&walkable, "<data encoding=\"csv\">1,2</data>").contains("but there are 2"));
    assert!(
        layer(&walkable, "<data encoding=\"base64\" compression=\"zstd\">AAAA</data>")
            .contains("the compression 'zstd' is not known; save the level with CSV, zlib or gzip")
    );
    assert_eq!(
        layer(&walkable, "<data encoding=\"csv\">1,1,1,1,99,1</data>"),
        "layer 'floor', column 1, row 1, tile 99: it belongs to no tileset"
    );
    assert_eq!(
        layer(&tile(0, "terrain", "string", "."), CSV),
        "layer 'floor', column 1, row 0, tile 2: it is tile 1 of the tileset 't', which has no \
         property 'terrain'"
    );
    assert!(layer(&tile(0, "terrain", "string", "lava"), CSV).contains("its terrain is 'lava'"));
    assert!(
        layer(&tile(0, "cost", "int", "17"), CSV).contains("its cost is 17, which is no terrain")
    );
    assert!(layer(&tile(0, "colour", "string", "red"), CSV).contains("tiles have: colour"));
    let named = |rule: TileRule| {
        let text = level(&walkable, &[("name=\"floor\"", CSV)]);
        decode(text.as_bytes(), &with(rule)).unwrap_err()
    };
    let layer = named(TileRule { layer: Some("roof".into()), ..TileRule::default() });
    assert_eq!(layer, "there is no layer of tiles 'roof'; there are: floor");
    let property = named(TileRule { property: Some("deep".into()), ..TileRule::default() });
    assert_eq!(property, "no tile has a property 'deep'; tiles have: walkable");
    assert!(error("{\"layers\": 3}").contains("no level of Tiled"));
    assert!(error("{\"layers\": ").contains("no JSON: EOF"));
    // A packed bomb is not unpacked beyond what was announced.
    let far = "<map><layer name=\"a\" width=\"1\" height=\"1\"><data encoding=\"csv\">\
               <chunk x=\"9223372036854775807\" y=\"0\" width=\"1\" height=\"1\">1</chunk></data></layer></map>";
    assert!(error(far).contains("too far away"), "{}", error(far));
}

#[test]
fn files_are_told_apart_by_what_is_in_them() {
    assert_eq!(plain("type octile\nheight 1\nwidth 2\nmap\n.@\n").unwrap().to_string(), ".@\n");
    assert_eq!(plain("\n.#.\n").unwrap().to_string(), ".@.\n");
    assert!(decode(&[0xff, 0xfe, 0], &ReadOptions::default()).unwrap_err().contains("no text"));
    // A .map is MovingAI's, so that an error is about its header.
    let error = decode_map(b".#.\n", Path::new("x.map"), &ReadOptions::default(), &nothing);
    assert!(error.unwrap_err().to_string().contains("expected a header line"));
    let error = decode_map(b"x", Path::new("x.png"), &ReadOptions::default(), &nothing);
    assert!(error.unwrap_err().to_string().contains("no PNG file"));
}

/// A level of 3 × 2 tiles of 10 × 10 pixels with an object of a class.
fn level_with_object(class: &str, line: &str, properties: &str) -> String {
    let layer = format!("<layer name=\"a\" width=\"3\" height=\"2\">{CSV}</layer>");
    format!(
        "<map tilewidth=\"10\" tileheight=\"10\">\n<tileset firstgid=\"1\" name=\"t\">{}</tileset>\n{layer}\n\
         <objectgroup name=\"g\">\n  <object id=\"4\" class=\"{class}\" x=\"10\" y=\"0\"><properties>{properties}</properties>\
         {line}</object>\n</objectgroup></map>",
        tile(1, "solid", "bool", "false")
    )
}

fn line(points: &str) -> String {
    format!("<polyline points=\"{points}\"/>")
}

#[test]
fn objects_of_a_level_are_borders_and_links() {
    let pass = "<property name=\"pass\" value=\"onwards\"/>";
    let map = plain(&level_with_object("border", &line("0,0 0,10 10,10"), pass)).unwrap();
    let border = |x, y, side| map.border((x, y).into(), side).unwrap();
    use highroad_core::{Border, BorderSide, KindId, Link};
    assert_eq!(border(0, 0, BorderSide::East), Border::OneWay);
    assert_eq!(border(1, 0, BorderSide::South), Border::OneWay);
    assert_eq!(border(0, 1, BorderSide::East), Border::Open);
    let properties = "<property name=\"cost\" type=\"int\" value=\"70\"/>\
                      <property name=\"both_ways\" type=\"bool\" value=\"true\"/>\
                      <property name=\"kind\" type=\"int\" value=\"2\"/>";
    let map = plain(&level_with_object("link", &line("5,5 -5,12"), properties)).unwrap();
    let link = Link::new((1, 0), (0, 1), 70).with_way_back().with_kind(KindId(2));
    assert_eq!(map.link_list(), [link]);
    let map = plain(&level_with_object("lamp", "<point/>", "")).unwrap();
    assert!(!map.has_relief() && map.link_list().is_empty(), "other objects mean nothing");
}

#[test]
fn tiles_and_levels_have_heights() {
    let tiles = tile(0, "walkable", "bool", "true")
        + "<tile id=\"1\"><properties><property name=\"height\" type=\"int\" value=\"7\"/></properties></tile>";
    let map = plain(&level(&tiles, &[("name=\"a\"", CSV)])).unwrap();
    let heights = |map: &GridMap| -> Vec<u16> {
        map.extent().cells().map(|cell| map.height(cell).unwrap()).collect()
    };
    assert_eq!(heights(&map), [0, 7, 0, 7, 0, 0]);
    let walkable = level(&tile(0, "walkable", "bool", "true"), &[("name=\"a\"", CSV)]);
    let with = |rows: &str| {
        let property =
            format!("<properties><property name=\"heights\">\n{rows}</property></properties>");
        walkable.replacen("<tileset", &format!("{property}<tileset"), 1)
    };
    assert_eq!(heights(&plain(&with("1 2 3\n4 5 60000\n")).unwrap()), [1, 2, 3, 4, 5, 60000]);
    let error = |rows: &str| plain(&with(rows)).unwrap_err();
    assert_eq!(
        error("1 2 3\n4 x 6\n"),
        "line 2: its heights, line 2, column 3: 'x' is no height from 0 to 65535"
    );
    assert_eq!(error("1 2 3\n"), "line 2: its heights, heights of 3 × 1 cells for a map of 3 × 2");
    let tiles = tile(0, "walkable", "bool", "true").replace(
        "</properties>",
        "<property name=\"height\" type=\"int\" value=\"70000\"/></properties>",
    );
    assert_eq!(
        plain(&level(&tiles, &[("name=\"a\"", CSV)])).unwrap_err(),
        "column 0, row 0: its height is 70000, not a whole number to 65535"
    );
}

#[test]
fn objects_that_are_no_borders_and_links_are_errors_with_line_and_column() {
    let cost = "<property name=\"cost\" type=\"int\" value=\"70\"/>";
    for (class, line, properties, problem) in [
        ("border", line("0,0 10,10"), "", "a border must lead along rows or columns of cells"),
        ("border", line("0,0 0,15"), "", "a border must lead along the edges of cells"),
        (
            "border",
            line("0,0 20,0"),
            "",
            "the south border of (1, -1) is not between two cells of the map",
        ),
        (
            "border",
            line("0,0 0,40"),
            "",
            "the east border of (0, 2) is not between two cells of the map",
        ),
        ("border", line("0,0 0,1e300"), "", "it leads too far away"),
        ("border", line("0,0 0,a"), "", "the points of its line are no pairs of numbers"),
        ("border", String::new(), "", "it must be a line: a polyline"),
        (
            "border",
            line("0,0 0,10"),
            "<property name=\"pass\" value=\"some\"/>",
            "its pass is 'some', not none, onwards or back",
        ),
        ("link", line("5,5 15,5"), "", "a link needs a cost"),
        ("link", line("5,5 -15,5"), cost, "(-1, 0) lies outside the map"),
        (
            "link",
            line("5,5 55,5"),
            cost,
            "the link from (1, 0) to (6, 0): (6, 0) lies outside the map",
        ),
        ("link", line("5,5 6,6"), cost, "the link from (1, 0) to (1, 0): it ends where it begins"),
    ] {
        let error = plain(&level_with_object(class, &line, properties)).unwrap_err();
        assert_eq!(error, format!("line 8, column 3: {problem}"));
    }
    let json = tiled::to_tmj(&shaped(), "x.png").replace("\"cost\"", "\"coins\"");
    let error = plain(&json).unwrap_err();
    let line = 1 + json.lines().position(|line| line.contains("\"link\"")).unwrap();
    let column = 1 + json.lines().nth(line - 1).unwrap().find('{').unwrap();
    let place = format!("line {line}, column {column}, layer 'ground', object ");
    assert!(error.ends_with("a link needs a cost") && error.starts_with(&place), "{error}");
}

#[test]
fn objects_of_hidden_layers_and_of_groups_are_counted_where_an_error_names_a_line() {
    let link = r#"{"id": 7, "class": "link"}"#;
    let json = format!(
        r#"{{"layers": [
{{"type": "objectgroup", "visible": false, "objects": [{link}, {link}]}},
{{"type": "group", "objects": [{link}], "layers": [
 {{"type": "objectgroup", "name": "doors", "objects": [{{"id": 1}},
  {link}]}}]}}]}}"#
    );
    let error = plain(&json).unwrap_err();
    assert_eq!(error, "line 5, column 3, layer 'doors', object 7: it must be a line: a polyline");
}

/// A map with borders of every kind, heights and links.
fn shaped() -> GridMap {
    use highroad_core::{Border, BorderSide, KindId, Link};
    let mut map: GridMap = "......\n..@...\n......\n".parse().unwrap();
    for (x, border) in (0..).zip(Border::ALL) {
        map.set_border((x, 0).into(), BorderSide::South, border);
        map.set_border((x, 1).into(), BorderSide::East, border);
    }
    map.set_border((4, 0).into(), BorderSide::South, Border::Closed);
    map.set_height((5, 2).into(), 60_000);
    map.add_link(Link::new((0, 0), (5, 2), 77)).unwrap();
    map.add_link(Link::new((5, 0), (0, 2), 1).with_way_back().with_kind(KindId(3))).unwrap();
    map
}

#[test]
fn the_shape_of_the_ground_survives_levels_of_tiled() {
    for (ending, format) in
        MapFormat::ENDINGS.into_iter().filter(|(_, format)| format.holds_ground())
    {
        let encoded = encode_map(&shaped(), format, "town").unwrap();
        let file = format!("town.{ending}");
        let read = decode_map(&encoded.bytes, Path::new(&file), &ReadOptions::default(), &nothing);
        let (read, map) = (read.unwrap(), shaped());
        assert_eq!(read.to_string(), map.to_string());
        assert_eq!(read.link_list(), map.link_list());
        for cell in map.extent().cells() {
            assert_eq!(read.height(cell), map.height(cell), "{cell}");
            for side in highroad_core::BorderSide::ALL {
                assert_eq!(read.border(cell, side), map.border(cell, side), "{cell} {side:?}");
            }
        }
    }
}

fn maps() -> impl Strategy<Value = GridMap> {
    let letters = prop::sample::select(Terrain::LETTERS);
    (1u32..12, 1u32..12).prop_flat_map(move |(width, height)| {
        prop::collection::vec(letters.clone(), (width * height) as usize).prop_map(move |cells| {
            let terrain = |cell: highroad_core::Cell| cells[(cell.y * width + cell.x) as usize];
            GridMap::from_fn(width, height, |cell| Terrain::from_letter(terrain(cell)).unwrap())
                .unwrap()
        })
    })
}

proptest! {
    #[test]
    fn every_map_survives_every_format(map in maps(), name in "[a-z&<\" ]{1,9}") {
        for (ending, format) in MapFormat::ENDINGS {
            let encoded = encode_map(&map, format, &name).unwrap();
            let file = format!("{name}.{ending}");
            let read = decode_map(&encoded.bytes, Path::new(&file), &ReadOptions::default(), &nothing);
            prop_assert_eq!(&read.unwrap(), &map, "{}", ending);
            prop_assert_eq!(
                encoded.beside.is_some(),
                matches!(format, MapFormat::Tmx | MapFormat::Tmj)
            );
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        inside in "[0-9,<>/a-z=\" -]{0,60}",
        at in 0usize..400,
    ) {
        let _ = decode(&bytes, &ReadOptions::default());
        let tiles = tile(0, "cost", "int", "3");
        let mut text = level(&tiles, &[("name=\"a\"", CSV)]);
        text.insert_str(at.min(text.len()), &inside);
        let _ = plain(&text);
        let mut json = tiled::to_tmj(&"..\n".parse().unwrap(), "x.png");
        json.insert_str((at * 3).min(json.len()), &inside);
        let _ = plain(&json);
    }
}

#[test]
fn a_file_is_read_by_its_path_with_what_lies_beside_it() {
    let folder = std::env::temp_dir().join(format!("highroad-formats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("level.tmx");
    let missing = read_map(&file).unwrap_err();
    assert!(matches!(&missing, ReadError::File { path, .. } if *path == file), "{missing}");
    let level = "<map><tileset firstgid=\"1\" source=\"t.tsx\"/><layer name=\"a\" width=\"2\" \
                 height=\"1\"><data encoding=\"csv\">1,2</data></layer></map>";
    std::fs::write(&file, level).unwrap();
    let alone = read_map(&file).unwrap_err();
    assert!(matches!(&alone, ReadError::Map { path, .. } if *path == file), "{alone}");
    let tiles = tile(0, "solid", "bool", "true");
    std::fs::write(folder.join("t.tsx"), format!("<tileset name=\"t\">{tiles}</tileset>")).unwrap();
    assert_eq!(read_map(&file).unwrap().to_string(), "@.\n");
    std::fs::remove_dir_all(&folder).unwrap();
}
