"""`python -m build_kernels [--bounds]`: compile the kernels of this checkout, and print where they are."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from build_kernels.building import CannotBuild, build

try:
    print(build(bounds="--bounds" in sys.argv))
except CannotBuild as error:
    sys.exit(f"the kernels are not compiled: {error}")
