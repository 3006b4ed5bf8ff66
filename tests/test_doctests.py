"""Every example in a docstring is run."""

from __future__ import annotations

import doctest
import importlib

import pytest

import noughts
from tests.test_exports import MODULES

pytestmark = pytest.mark.usefixtures("remembered")


@pytest.mark.parametrize("name", ["noughts", *MODULES])
def test_examples(name: str) -> None:
    module = noughts if name == "noughts" else importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
