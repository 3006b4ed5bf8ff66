"""What `noughts.solving` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.solving.api import prove as prove
from noughts.solving.infinite import InfiniteValue as InfiniteValue
from noughts.solving.infinite import solve_infinite as solve_infinite
from noughts.solving.proofs import Proof as Proof
from noughts.solving.quotient import MisereQuotient as MisereQuotient
from noughts.solving.quotient import misere_quotient as misere_quotient
from noughts.solving.solution import Solution as Solution

__all__: list[str]
