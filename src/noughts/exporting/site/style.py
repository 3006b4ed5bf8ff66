"""The style sheet of the site: light and dark from the palette of pictures, narrow screens, print."""

from __future__ import annotations

from noughts.drawing.palette import DARK, LIGHT

__all__ = ["style_sheet"]

_RULES = """
*{box-sizing:border-box}
html{color-scheme:light dark;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
body{max-width:72rem;margin:0 auto;padding:0 1rem 3rem}
a{color:var(--x);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible{outline:3px solid var(--second);outline-offset:2px}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;margin:.75rem 0;list-style:none}
h1{line-height:1.2;margin:.5rem 0 1rem}
h2{margin:2rem 0 .5rem;border-bottom:1px solid var(--faint)}
h3{margin:1.25rem 0 .5rem}
code,.position{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
footer{margin-top:3rem;border-top:1px solid var(--faint);color:var(--soft)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.25rem 0;color:var(--soft)}
th,td{padding:.2rem .6rem;border-bottom:1px solid var(--faint);text-align:right;vertical-align:top}
th.w,td.w{text-align:left}
th[scope=row]{white-space:nowrap}
.boards{display:flex;flex-wrap:wrap;gap:1rem 1.25rem;padding:0;margin:.75rem 0;list-style:none}
.boards li{text-align:center;font-size:.875rem;line-height:1.3;break-inside:avoid;max-width:14rem}
.boards a{display:inline-block;color:inherit}
.boards .cells{display:block}
svg.b{height:auto;max-width:100%;display:block;margin:0 auto .25rem}
svg.b path{vector-effect:non-scaling-stroke}
svg.b .g{stroke:var(--soft);stroke-width:1}
svg.b .x{stroke:var(--x);stroke-width:2.5;stroke-linecap:round}
svg.b .o{stroke:var(--o);stroke-width:2.5}
svg.b .n{stroke:var(--ink);stroke-width:1.25}
svg.b .l{stroke:var(--mark-line);stroke-width:5;stroke-linecap:round;vector-effect:none}
.scroll:focus-visible{outline:3px solid var(--second)}
.page{display:flex;flex-wrap:wrap;gap:1rem 3rem;align-items:flex-start}
.page>*{min-width:0}
table.play{border-collapse:separate;border-spacing:0}
table.play th{border:0;color:var(--soft);font-weight:normal;text-align:center;vertical-align:middle}
table.play td{width:6.5rem;height:5.5rem;padding:.25rem;border:1px solid var(--soft)}
table.play td{text-align:center;vertical-align:middle}
table.play .mark{font-size:2.75rem;line-height:1;font-weight:600}
table.play .mark.X{color:var(--x)}
table.play .mark.O{color:var(--o)}
table.play td.line{background:var(--mark-line)}
table.play a{display:flex;flex-direction:column;justify-content:center;width:100%;height:100%}
table.play a{font-size:.8rem;line-height:1.2}
table.play .best{font-weight:700}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0}
dt{color:var(--soft)}
dd{margin:0}
@media (max-width:40rem){
body{padding:0 .75rem 2rem}
dl{grid-template-columns:1fr}
dd{margin:0 0 .35rem}
table.play td{width:4.6rem;height:4.6rem}
}
@media print{
.scroll{overflow:visible}
.sheet svg{max-width:100%;height:auto}
html{font-size:10pt}
nav,.skip{display:none}
a{color:inherit;text-decoration:none}
h2,h3{break-after:avoid}
table.play td.line{outline:3px solid var(--ink);outline-offset:-4px}
}
@media (forced-colors:active){svg.b path{stroke:CanvasText}}
"""


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{role}:{colour};" for role, colour in colours.items())


def style_sheet() -> str:
    """Return the style sheet: no picture, font or file is asked for from anywhere."""
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}"
    return f":root{{{_variables(LIGHT)}}}\n{dark}{_RULES}"
