"""What `noughts.bots` offers, one name a line: type checkers read this file, and so does `__init__.py`."""

from noughts.analysis.policies.policy import Policy as Policy
from noughts.analysis.policies.reading import policy as policy
from noughts.bots.arrays import array_policy as array_policy
from noughts.bots.assessment import Assessment as Assessment
from noughts.bots.assessment import RoleAssessment as RoleAssessment
from noughts.bots.breeding import Bred as Bred
from noughts.bots.crib import Crib as Crib
from noughts.bots.crib import CribPair as CribPair
from noughts.bots.crosstable import CrossTable as CrossTable
from noughts.bots.engine import Engine as Engine
from noughts.bots.menace import Menace as Menace
from noughts.bots.referee import Trial as Trial

__all__: list[str]
