"""Quarterjack calls your code at the time you choose. This package is its SDK for Python.

- ``Quarterjack`` and ``AsyncQuarterjack``: every call of the API.
- ``Worker``: a process that asks for work, does it and reports.
- ``verify_delivery``, ``FenceGuard``, ``Receiver``, ``Attempt``: for programs that get deliveries.
- ``job``, ``cron``, ``serve``: jobs beside the functions that do their work.

It needs nothing but the standard library. Where boto3 or pydantic are installed, it can use them.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:
    from ._async import AsyncListing as AsyncListing
    from ._async_client import AsyncQuarterjack as AsyncQuarterjack
    from ._attempts import Attempt as Attempt
    from ._attempts import FenceGuard as FenceGuard
    from ._attempts import FenceStore as FenceStore
    from ._attempts import MemoryFenceStore as MemoryFenceStore
    from ._client import Quarterjack as Quarterjack
    from ._connection import Listing as Listing
    from ._context import Context as Context
    from ._deliveries import Delivery as Delivery
    from ._deliveries import verify_delivery as verify_delivery
    from ._http import Retry as Retry
    from ._http import Stop as Stop
    from ._job_runs import connect_jobs as connect_jobs
    from ._jobs import Job as Job
    from ._jobs import after as after
    from ._jobs import at as at
    from ._jobs import cron as cron
    from ._jobs import event as event
    from ._jobs import every as every
    from ._jobs import job as job
    from ._receiver import Receiver as Receiver
    from ._run import Tested as Tested
    from ._run import test_job as test_job
    from ._serve import Served as Served
    from ._serve import serve as serve
    from ._tokens import ClientCredentials as ClientCredentials
    from ._tokens import SecretKey as SecretKey
    from ._work import Event as Event
    from ._work import Work as Work
    from ._worker import Worker as Worker
    from .errors import ApiConnectionError as ApiConnectionError
    from .errors import ArgumentError as ArgumentError
    from .errors import AuthenticationError as AuthenticationError
    from .errors import CallbackError as CallbackError
    from .errors import ConflictError as ConflictError
    from .errors import FatalError as FatalError
    from .errors import NotFoundError as NotFoundError
    from .errors import PermissionDeniedError as PermissionDeniedError
    from .errors import ProblemError as ProblemError
    from .errors import QuarterjackError as QuarterjackError
    from .errors import RateLimitError as RateLimitError
    from .errors import ReleaseError as ReleaseError
    from .errors import ResponseError as ResponseError
    from .errors import RetryAfter as RetryAfter
    from .errors import ServerError as ServerError
    from .errors import SignatureError as SignatureError
    from .errors import StaleFenceError as StaleFenceError
    from .errors import StoppedError as StoppedError
    from .errors import ValidationError as ValidationError
    from .errors import WaitTimeoutError as WaitTimeoutError

# A name is loaded when it is used: a function that receives deliveries starts without client and worker.
_PLACES = {
    "_async": "AsyncListing",
    "_async_client": "AsyncQuarterjack",
    "_attempts": "Attempt FenceGuard FenceStore MemoryFenceStore",
    "_client": "Quarterjack",
    "_connection": "Listing",
    "_deliveries": "Delivery verify_delivery",
    "_http": "Retry Stop",
    "_context": "Context",
    "_job_runs": "connect_jobs",
    "_jobs": "Job after at cron event every job",
    "_receiver": "Receiver",
    "_run": "Tested test_job",
    "_serve": "Served serve",
    "_tokens": "ClientCredentials SecretKey",
    "_work": "Event Work",
    "_worker": "Worker",
    "errors": "ApiConnectionError ArgumentError AuthenticationError CallbackError ConflictError FatalError "
    "NotFoundError PermissionDeniedError ProblemError QuarterjackError RateLimitError ReleaseError "
    "ResponseError RetryAfter ServerError SignatureError StaleFenceError StoppedError ValidationError "
    "WaitTimeoutError",
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names.split()}
__all__ = sorted(_MODULES)
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(_import_module(f".{_MODULES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
