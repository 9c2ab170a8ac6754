"""Maps from files: what the engine reads, images, and occupancy maps of ROS."""

from __future__ import annotations

import os
import re
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import numpy.typing as npt

from ._highroad import Grid, HighroadError, Mesh, World, read_map_text

#: Numbers in a header, and pixels, that a picture may have: as many as the largest map has cells.
_SIDE_MAX = 16_384


def read_map(path: str | os.PathLike[str], *, into: Any = Grid, **options: Any) -> Any:
    """A map from a file: MovingAI's format, a drawing in letters, a PNG whose colours mean terrain, or a level of Tiled.

    ``into`` is ``Grid`` or ``World``, and takes the other options.
    """
    return into(read_map_text(os.fspath(path)), **options)


def read_mesh(path: str | os.PathLike[str], *, planner: Any = None) -> Mesh:
    """A mesh from a file: that of Polyanya, or JSON (vertices and polygons, areas, GeoJSON, or Recast's polygon mesh)."""
    try:
        text = FilePath(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise HighroadError(f"{os.fspath(path)}: a mesh is text in UTF-8: {error}") from error
    return Mesh.from_text(text, planner=planner)


def read_image(
    image: str | os.PathLike[str] | npt.NDArray[Any],
    *,
    threshold: float = 0.5,
    into: Any = Grid,
    **options: Any,
) -> Any:
    """A map from a picture: a pixel at least as bright as ``threshold``, a share of the brightest value, can be entered.

    ``image`` is an array of rows and columns, grey or with colours as the last axis, or the path of a PGM file, or of any
    other picture if ``matplotlib`` or Pillow is installed.
    """
    pixels = np.asarray(_read_pixels(image) if isinstance(image, (str, os.PathLike)) else image)
    if pixels.ndim == 3 and pixels.shape[2] in (3, 4):
        pixels = pixels[:, :, :3].mean(axis=2) / _brightest(pixels.dtype)
    elif pixels.ndim == 2:
        pixels = pixels / _brightest(pixels.dtype)
    else:
        raise HighroadError(f"a picture of shape {pixels.shape}: rows, columns and perhaps colours are needed")
    return into(pixels >= threshold, **options)


def read_ros(path: str | os.PathLike[str], *, unknown: bool = False, into: Any = Grid, **options: Any) -> Any:
    """An occupancy map of ROS: a YAML file that names a PGM or another picture, its resolution and its origin.

    A cell can be entered if it is free by ``free_thresh``; cells that are neither free nor occupied only with
    ``unknown=True``. Positions are those of ROS: y grows upwards, and the origin is the lower left corner. A map that is
    turned against the axes is an error.
    """
    path = FilePath(path)
    text = _read_yaml(path)
    try:
        image, resolution = str(text["image"]), float(text["resolution"])
        x, y, yaw = (float(number) for number in text["origin"])
        negate = int(text.get("negate", 0)) != 0
        free, occupied = float(text.get("free_thresh", 0.196)), float(text.get("occupied_thresh", 0.65))
    except (KeyError, TypeError, ValueError) as error:
        raise HighroadError(f"{path}: image, resolution and origin (x, y, yaw) are needed: {error}") from error
    if yaw != 0:
        raise HighroadError(f"{path}: a map that is turned by {yaw} cannot be read: rows must go along x")
    folder = path.parent.resolve()
    picture = (folder / image).resolve()
    if folder not in picture.parents:
        raise HighroadError(f"{path}: the picture {image} does not lie below the folder of the map")
    pixels = _read_pixels(picture)
    if pixels.ndim == 3:
        pixels = pixels[:, :, :3].mean(axis=2)
    share = pixels / _brightest(_read_type(pixels))
    occupancy = share if negate else 1.0 - share
    walkable = occupancy <= occupied if unknown else occupancy < free
    return into(walkable, origin=(x, y), cell_size=resolution, y_up=True, **options)


def _read_type(pixels: npt.NDArray[Any]) -> np.dtype[Any]:
    return np.dtype(np.uint8) if pixels.max(initial=0) > 1 else pixels.dtype


def _brightest(dtype: np.dtype[Any]) -> float:
    return float(np.iinfo(dtype).max) if np.issubdtype(dtype, np.integer) else 1.0


def _read_yaml(path: FilePath) -> dict[str, Any]:
    """The few lines of a map's YAML, by PyYAML if it is installed."""
    text = path.read_text(encoding="utf-8")
    try:
        import yaml
    except ImportError:
        found = dict(re.findall(r"(?m)^(\w+)\s*:\s*(.+?)\s*(?:#.*)?$", text))
        origin = found.get("origin", "").strip("[] ")
        return found | {"origin": origin.split(",")} if origin else dict(found)
    loaded = yaml.safe_load(text)
    if not isinstance(loaded, dict):
        raise HighroadError(f"{path}: lines such as 'image: map.pgm' are needed")
    return loaded


def _read_pixels(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    data = FilePath(path).read_bytes()
    if data[:2] in (b"P2", b"P5"):
        return _read_pgm(path, data)
    try:
        from PIL import Image
    except ImportError as error:
        raise HighroadError(f"{os.fspath(path)}: pictures that are no PGM need Pillow: pip install pillow") from error
    with Image.open(path) as picture:
        width, height = picture.size
        if max(width, height) > _SIDE_MAX:
            raise HighroadError(f"{os.fspath(path)}: {height} rows and {width} columns: each may be up to {_SIDE_MAX}")
        return np.asarray(picture.convert("L"))


def _read_pgm(path: str | os.PathLike[str], data: bytes) -> npt.NDArray[Any]:
    """A grey picture of netpbm, scaled to values from 0 to 1."""
    header = re.match(rb"P[25](?:\s+|#[^\n]*\n)*(\d+)(?:\s+|#[^\n]*\n)+(\d+)(?:\s+|#[^\n]*\n)+(\d+)\s", data)
    if header is None:
        raise HighroadError(f"{os.fspath(path)}: a PGM begins with P2 or P5, its width, its height and the brightest value")
    width, height, brightest = (int(number) for number in header.groups())
    if not (0 < width <= _SIDE_MAX and 0 < height <= _SIDE_MAX and 0 < brightest < 65_536):
        raise HighroadError(f"{os.fspath(path)}: a PGM of {height} rows and {width} columns up to {brightest}")
    body = data[header.end() :]
    if data[:2] == b"P2":
        words = body.split()
        pixels = np.array(words[: width * height], dtype=np.float64) if words else np.empty(0)
    else:
        pixels = np.frombuffer(body, dtype=">u2" if brightest > 255 else "u1")[: width * height].astype(np.float64)
    if pixels.size < width * height:
        raise HighroadError(f"{os.fspath(path)}: {pixels.size} pixels instead of {width * height}")
    return pixels.reshape(height, width) / brightest


__all__ = ["read_image", "read_map", "read_mesh", "read_ros", "World"]
