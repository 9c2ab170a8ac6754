"""Maps from files, and pictures."""

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

import highroad


def write_ros(folder, pixels, yaml="image: map.pgm\nresolution: 0.05\norigin: [-1.0, -2.0, 0.0]\n", header=None):
    header = header or f"P5\n# made by a test\n{pixels.shape[1]} {pixels.shape[0]}\n255\n"
    (folder / "map.pgm").write_bytes(header.encode() + pixels.tobytes())
    (folder / "map.yaml").write_text(yaml)
    return folder / "map.yaml"


def test_ros_maps(tmp_path):
    pixels = np.array([[254, 254, 0], [205, 254, 0]], np.uint8)
    path = write_ros(tmp_path, pixels)
    grid = highroad.read_ros(path)
    assert grid.walkable().tolist() == [[True, True, False], [False, True, False]]
    assert highroad.read_ros(path, unknown=True).walkable().tolist() == [[True, True, False], [True, True, False]]
    # The lower left corner of the map is the origin, and y grows upwards.
    np.testing.assert_allclose(grid.position_of((1, 0)), (-0.975, -1.975))
    np.testing.assert_allclose(grid.position_of((0, 0)), (-0.975, -1.925))
    world = highroad.read_ros(path, into=highroad.World, planner="hpa")
    assert isinstance(world, highroad.World) and world.find_path((0, 0), (1, 1)).cost > 1
    negated = write_ros(tmp_path, pixels, "image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 1\n")
    assert highroad.read_ros(negated).walkable().tolist() == [[False, False, True], [False, False, True]]


@pytest.mark.parametrize(
    ("yaml", "header", "says"),
    [
        ("resolution: 1\norigin: [0, 0, 0]\n", None, "image, resolution and origin"),
        ("image: map.pgm\nresolution: wide\norigin: [0, 0, 0]\n", None, "image, resolution and origin"),
        ("image: map.pgm\nresolution: 1\norigin: [0, 0, 1.5]\n", None, "turned by 1.5"),
        ("image: ../map.pgm\nresolution: 1\norigin: [0, 0, 0]\n", None, "does not lie below"),
        ("image: map.pgm\nresolution: 0\norigin: [0, 0, 0]\n", None, "above 0"),
        ("image: map.pgm\nresolution: 1\norigin: [0, 0, 0]\n", "P5 99 99 255\n", "6 pixels instead of 9801"),
        ("image: map.pgm\nresolution: 1\norigin: [0, 0, 0]\n", "P5 99999999 99 255\n", "columns"),
        ("image: map.pgm\nresolution: 1\norigin: [0, 0, 0]\n", "P5 wide", "a PGM begins with"),
    ],
)
def test_ros_maps_that_are_none(tmp_path, yaml, header, says):
    path = write_ros(tmp_path, np.zeros((2, 3), np.uint8), yaml, header)
    with pytest.raises(highroad.HighroadError, match=says):
        highroad.read_ros(path)


def test_images(tmp_path):
    grey = np.array([[0, 255], [100, 200]], np.uint8)
    assert highroad.read_image(grey).walkable().tolist() == [[False, True], [False, True]]
    assert highroad.read_image(grey / 255, threshold=0.3).walkable().tolist() == [[False, True], [True, True]]
    colours = np.stack([grey, grey, grey, np.full_like(grey, 255)], axis=2)
    assert highroad.read_image(colours).walkable().tolist() == [[False, True], [False, True]]
    (tmp_path / "plain.pgm").write_text("P2\n2 2\n9\n0 9 4 8\n")
    assert highroad.read_image(tmp_path / "plain.pgm").walkable().tolist() == [[False, True], [False, True]]
    plt.imsave(tmp_path / "colours.png", colours)
    assert highroad.read_image(tmp_path / "colours.png").walkable().tolist() == [[False, True], [False, True]]
    with pytest.raises(highroad.HighroadError, match="a picture of shape"):
        highroad.read_image(np.zeros(3))


def test_map_files(tmp_path):
    (tmp_path / "a.map").write_text("type octile\nheight 2\nwidth 4\nmap\n..T.\n.@@.\n")
    grid = highroad.read_map(tmp_path / "a.map")
    assert grid.walkable().tolist() == [[True, True, False, True], [True, False, False, True]]
    with pytest.raises(highroad.HighroadError):
        highroad.read_map(tmp_path / "missing.map")


def test_pictures(rooms):
    grid = highroad.Grid(rooms)
    path, other = grid.find_path((0, 0), (62, 94)), grid.find_path((0, 94), (62, 0))
    pictures = [grid._repr_png_(), grid.to_png([path]), grid.to_png([path, other]), grid.to_png([path], dark=True)]
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)
    assert len(set(pictures)) == 4
    plt.figure()
    axes = highroad.plot(grid, [path, other], field=grid.distance_field((0, 0)))
    assert len(axes.lines) == 2 and len(axes.images) == 1
    _, single = plt.subplots()
    assert highroad.plot(highroad.Grid("..\n"), ax=single) is single
    highroad.plot(highroad.Grid("##\n"), ax=single)
    plt.close("all")
