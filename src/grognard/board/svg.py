"""A scene as an SVG text or a PNG picture. The same board gives the same bytes."""

from __future__ import annotations

import argparse
import base64
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from grognard.board.board import Board
from grognard.board.drawing import Options, Scene, draw
from grognard.board.loading import load_board
from grognard.files import Folder

SCALE = 100
"""SVG units a hex: browsers draw letters badly at sizes below one unit."""
FACES = {"regular": ("normal", 400), "italic": ("italic", 400), "bold": ("normal", 700)}


def render_svg(board: Board, language: str = "en", options: Options | None = None) -> str:
    """The map as an SVG document that carries its own style and letters."""
    return scene_to_svg(draw(board, language, options))


def render_png(
    board: Board, language: str = "en", width: int = 3000, options: Options | None = None
) -> bytes:
    """The map as a PNG picture of this width in pixels."""
    return scene_to_png(draw(board, language, options), width)


def scene_to_png(scene: Scene, width: int) -> bytes:
    # Only pictures need the renderer; a table without it must still start.
    import resvg_py

    svg = scene_to_svg(scene, embed_letters=False)
    with as_file(files("grognard.board") / "fonts") as folder:
        faces = [str(folder / f"alegreya-map-{face}.ttf") for face in FACES]
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                width=width,
                skip_system_fonts=True,
                font_files=faces,
                font_family="Alegreya Map",
                serif_family="Alegreya Map",
            )
        )


def can_draw_pictures() -> bool:
    """Whether this machine can draw PNG pictures. SVG needs nothing."""
    return find_spec("resvg_py") is not None


def stylesheet(pen: float = 1.0) -> str:
    """The styles, with every line this much wider."""
    text = (files("grognard.board") / "map.css").read_text(encoding="utf-8")

    def wider(rule: re.Match[str]) -> str:
        return rule[1] + re.sub(r"[\d.]+", lambda n: f"{float(n[0]) * pen:.4g}", rule[2])

    return re.sub(r"(stroke-(?:width|dasharray):)([^;]+)", wider, text)


@cache
def _font_faces() -> str:
    """The letters inside the document, so that it looks the same on a machine without the font."""
    rules = []
    for face, (style, weight) in FACES.items():
        data = (files("grognard.board") / "fonts" / f"alegreya-map-{face}.woff2").read_bytes()
        source = f"url(data:font/woff2;base64,{base64.b64encode(data).decode()})"
        rules.append(
            f'@font-face {{ font-family: "Alegreya Map"; font-style: {style}; font-weight: {weight};'
            f" src: {source}; }}\n"
        )
    return "".join(rules)


def scene_to_svg(scene: Scene, embed_letters: bool = True) -> str:
    left, top, right, bottom = scene["box"]
    frame = scene["frame"]
    size = f'width="{_n(right - left)}" height="{_n(bottom - top)}"'
    view = f'viewBox="{_n(left)} {_n(top)} {_n(right - left)} {_n(bottom - top)}"'
    clip = f"M{_n(frame[0])} {_n(frame[1])}H{_n(frame[2])}V{_n(frame[3])}H{_n(frame[0])}Z"
    language = quoteattr(str(scene["language"]))
    kind = f'class="map-sheet" role="img" xml:lang={language}'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} {kind}>\n',
        f"<title>{escape(scene['title'])}</title>\n",
        f"<style>\n{_font_faces() if embed_letters else ''}{stylesheet(scene['pen'])}</style>\n",
        f'<defs><clipPath id="within"><path d="{clip}"/></clipPath></defs>\n',
    ]
    letters = Letters()
    # One clip for all layers that stop at the frame: each one costs the renderer a sheet of its own.
    for clip_here, layers in groupby(scene["layers"], key=lambda layer: bool(layer["clip"])):
        parts.append('<g clip-path="url(#within)">\n' if clip_here else "<g>\n")
        for layer in layers:
            if layer["items"]:
                parts.append(f'<g id="{layer["name"]}">\n')
                parts.extend(letters.element(item) for item in layer["items"])
                parts.append("</g>\n")
        parts.append("</g>\n")
    parts.append("</svg>\n")
    return "".join(parts)


def _n(value: float) -> str:
    """A length in SVG units, short and never '-0'."""
    shown = f"{value * SCALE:.1f}".removesuffix(".0")
    return "0" if shown == "-0" else shown


def _pairs(points: Sequence[Sequence[float]]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _commands(commands: Sequence[Sequence[Any]]) -> str:
    return "".join(str(c[0]) + " ".join(_n(float(v)) for v in c[1:]) for c in commands)


def _shape(item: dict[str, Any]) -> str:
    kind = item["kind"]
    if kind == "path":
        return _commands(item["commands"])
    if kind == "polygons":
        return "".join(f"M{_pairs(shape)}Z" for shape in item["polygons"])
    if kind == "strokes":
        return "".join(f"M{_pairs(line)}" for line in item["lines"])
    return "".join(
        f"M{_n(x - r)} {_n(y)}a{_n(r)} {_n(r)} 0 1 0 {_n(2 * r)} 0a{_n(r)} {_n(r)} 0 1 0 {_n(-2 * r)} 0Z"
        for x, y, r in item["dots"]
    )


class Letters:
    """Writes elements; texts that follow a line need that line to have a name in the document."""

    def __init__(self) -> None:
        self.lines = 0

    def element(self, item: dict[str, Any]) -> str:
        style = quoteattr(item["class"])
        moved = ""
        if "move" in item:
            x, y, scale = item["move"]
            moved = f' transform="translate({_n(x)} {_n(y)}) scale({scale:.3f})"'
        if item["kind"] != "text":
            return f'<path class={style} d="{_shape(item)}"{moved}/>\n'
        words = escape(item["text"])
        common = f'class={style} font-size="{_n(item["size"])}" text-anchor="{item["anchor"]}"'
        if "along" in item:
            self.lines += 1
            name = f"line{self.lines}"
            line = f'<path id="{name}" fill="none" d="{_commands(item["along"])}"/>'
            words = f'<textPath href="#{name}" startOffset="50%">{words}</textPath>'
            return f"{line}<text {common}>{words}</text>\n"
        x, y, angle = _n(item["x"]), _n(item["y"]), float(item.get("angle", 0.0))
        turned = f' transform="rotate({angle:.1f} {x} {y})"' if angle else ""
        return f'<text {common} x="{x}" y="{y}"{turned}>{words}</text>\n'


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw a map folder to a file whose ending says how: .svg, .png or .json (the scene)."""
    parser = argparse.ArgumentParser(description="Draw a map folder to an SVG, PNG or JSON file.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--lang", default="en", choices=("en", "fr"))
    parser.add_argument("--width", type=int, default=3000, help="width of a PNG in pixels")
    asked = parser.parse_args(arguments)
    board = load_board(Folder(asked.folder))
    if asked.out.suffix == ".png":
        asked.out.write_bytes(render_png(board, asked.lang, asked.width))
    elif asked.out.suffix == ".json":
        scene = draw(board, asked.lang, Options(furniture=False))
        asked.out.write_text(json.dumps(scene, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    else:
        asked.out.write_text(render_svg(board, asked.lang), encoding="utf-8")


if __name__ == "__main__":
    main()
