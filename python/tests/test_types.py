"""The stubs say what is there, and the Python part keeps them."""

import subprocess
import sys
from pathlib import Path

import pytest

import highroad

pytest.importorskip("mypy")


@pytest.mark.parametrize(
    "command",
    [
        ["mypy.stubtest", "highroad._highroad", "--concise"],
        ["mypy", "--strict", "--ignore-missing-imports", str(Path(__file__).parent.parent / "highroad")],
    ],
    ids=["stubs", "sources"],
)
def test_types(command):
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_name_has_a_docstring():
    for name in highroad.__all__:
        thing = getattr(highroad, name)
        if not isinstance(thing, (tuple, type(highroad.DIRECTIONS))):
            assert thing.__doc__, name
        members = vars(thing).items() if isinstance(thing, type) else []
        for member, value in members:
            assert member.startswith("_") or value.__doc__, f"{name}.{member}"
