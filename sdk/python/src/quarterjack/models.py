"""The types of what the API takes and gives: ``from quarterjack.models import JobDefinition``."""

from ._models import *  # noqa: F403
from ._models import __all__ as __all__
