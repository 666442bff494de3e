"""What goes wrong with a call: with its arguments, or at the server."""


class CallError(Exception):
    """A call that failed; the text says what happened and what to do about it.

    `may_have_run` is False if the call has surely not run, as no rank has begun it: then nothing
    speaks against calling again.
    """

    def __init__(
        self, operation: str, happened: str, remedy: str, may_have_run: bool = False
    ) -> None:
        self.operation = operation
        self.happened = happened
        self.remedy = remedy
        self.may_have_run = may_have_run
        super().__init__(f"{operation}: {happened}. Remedy: {remedy}.")


class LostArrayError(CallError):
    """An array that is not on the ranks, or not any more."""


class LostObjectError(CallError):
    """An object that is not on the ranks, or not any more."""


class AccessError(CallError):
    """The server does not let the client in: its token is wrong or missing."""


class QueueFullError(CallError):
    """Too many clients wait for the module; the call has not begun."""


class QuotaError(CallError):
    """The user has used up what the server allows, or the ranks have no room for what is to be left
    there; the call has not begun."""


class CallCancelledError(CallError):
    """Somebody has ended the call at the server; the text says who."""


class ServerSilentError(CallError):
    """The server has given no sign of life for TASUKI_SERVER_TIMEOUT."""


class InterfaceChangedError(CallError):
    """The routine takes other arguments than when the client connected; the call has not begun."""


class ArgumentError(CallError, TypeError):
    """An argument that the routine does not take; found before anything is sent."""
