//! Files of maps.

use crate::{Target, texts, two_texts};
use highroad::GridMap;
use highroad_formats::{FormatError, MapFormat, ReadOptions, decode_map, encode_map};
use std::io;
use std::path::Path;

pub(crate) const MOVINGAI_MAP: Target = Target {
    name: "movingai_map",
    input: "a map file of MovingAI",
    promise: "refused, or written again byte for byte",
    run: |bytes| {
        if let Ok(map) = GridMap::from_movingai(bytes) {
            assert_eq!(map.to_movingai(), bytes);
        }
    },
    seeds: || {
        texts(&[
            "type octile\nheight 2\nwidth 4\nmap\n..T.\n.@@.\n",
            "type octile\r\nheight 1\nwidth 3\r\nmap\n.SW",
            "type octile\nheight 1\nwidth 2\nmap\n.A\n# a comment\n",
        ])
    },
};

pub(crate) const DRAWING: Target = Target {
    name: "drawing",
    input: "a drawn map",
    promise: "refused, or drawn and written so that it reads as the same map",
    run: |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        if let Ok(map) = text.parse::<GridMap>() {
            assert_eq!(map.to_string().parse().as_ref(), Ok(&map));
            assert_eq!(GridMap::from_movingai(&map.to_movingai()).as_ref(), Ok(&map));
        }
    },
    seeds: || texts(&[".....\n.###.\n.#.#.\n.....\n", "  ..S\n  W.T\n", "AB\nCP\n"]),
};

fn decode(bytes: &[u8], beside: &str) -> Result<GridMap, FormatError> {
    let read_beside = |_: &str| match beside {
        "" => Err(io::Error::from(io::ErrorKind::NotFound)),
        _ => Ok(beside.as_bytes().to_vec()),
    };
    decode_map(bytes, Path::new(""), &ReadOptions::default(), &read_beside)
}

/// Cells up to which a map is written in every format.
const CELLS_MAX: usize = 1 << 14;

fn survives_every_format(map: &GridMap) {
    if map.extent().cell_count() > CELLS_MAX {
        return;
    }
    let nothing = |_: &str| Err(io::Error::from(io::ErrorKind::NotFound));
    for (ending, format) in MapFormat::ENDINGS {
        let encoded = encode_map(map, format, "x").expect("memory is written to");
        let name = format!("x.{ending}");
        let options = ReadOptions::default();
        let again = decode_map(&encoded.bytes, Path::new(&name), &options, &nothing);
        assert_eq!(&again.expect("it was written here"), map, "as {ending}");
    }
}

pub(crate) const MAP_FILE: Target = Target {
    name: "map_file",
    input: "a map file of any format: picture, level of Tiled, map, drawing",
    promise: "refused, or read as a map that survives every format",
    run: |bytes| {
        if let Ok(map) = decode(bytes, "") {
            survives_every_format(&map);
        }
    },
    seeds: || {
        let map: GridMap = "..S.\n.#W.\nTA.P\n".parse().expect("a drawing");
        let encoded = |(_, format)| encode_map(&map, format, "x").expect("a small map").bytes;
        MapFormat::ENDINGS.map(encoded).to_vec()
    },
};

/// Levels of Tiled with a tileset in a file of its own.
pub(crate) const TILED: Target = Target {
    name: "tiled",
    input: "a level of Tiled, a zero byte, and a tileset that it refers to",
    promise: "refused, or read as a map that survives every format",
    run: |bytes| {
        let Some((level, tileset)) = two_texts(bytes) else { return };
        if let Ok(map) = decode(level.as_bytes(), tileset) {
            survives_every_format(&map);
        }
    },
    seeds: || {
        let tmx = concat!(
            "<map orientation=\"orthogonal\" width=\"2\" height=\"2\" infinite=\"0\">",
            "<tileset firstgid=\"1\" source=\"t.tsx\"/><layer id=\"1\" name=\"a\" width=\"2\" height=\"2\">",
        );
        let tsx = concat!(
            "<tileset name=\"t\" tilecount=\"2\" columns=\"2\"><tile id=\"1\"><properties>",
            "<property name=\"blocked\" type=\"bool\" value=\"true\"/></properties></tile></tileset>",
        );
        let tmj = concat!(
            "{\"orientation\":\"orthogonal\",\"width\":2,\"height\":1,\"infinite\":false,\"layers\":[{\"type\":",
            "\"tilelayer\",\"name\":\"a\",\"width\":2,\"height\":1,\"visible\":true,\"data\":[1,2]}],",
            "\"tilesets\":[{\"firstgid\":1,\"source\":\"t.tsj\"}]}",
        );
        let tsj = "{\"tiles\":[{\"id\":1,\"properties\":[{\"name\":\"cost\",\"type\":\"int\",\"value\":3}]}]}";
        // Four numbers, 1 2 2 1: plain, then packed by zlib.
        let (plain, zlib) = ("AQAAAAIAAAACAAAAAQAAAA==", "eJxjZGBgYAJiZjAGAABAAAc=");
        vec![
            format!("{tmx}<data encoding=\"csv\">1,2,\n2,1</data></layer></map>\0{tsx}"),
            format!("{tmx}<data encoding=\"base64\">{plain}</data></layer></map>\0{tsx}"),
            format!("{tmx}<data encoding=\"base64\" compression=\"zlib\">{zlib}</data></layer></map>\0{tsx}"),
            format!("{tmj}\0{tsj}"),
        ]
        .into_iter()
        .map(String::into_bytes)
        .collect()
    },
};
