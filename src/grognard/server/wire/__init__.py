"""The shapes of everything that is sent and received, by what they are about.
The description of the doors (OpenAPI) is made from them, and the page's types from that."""

from __future__ import annotations

from grognard.server.wire.advice import *  # noqa: F403
from grognard.server.wire.common import *  # noqa: F403
from grognard.server.wire.exhibits import *  # noqa: F403
from grognard.server.wire.games import *  # noqa: F403
from grognard.server.wire.past import *  # noqa: F403
from grognard.server.wire.people import *  # noqa: F403
from grognard.server.wire.socket import *  # noqa: F403
from grognard.server.wire.tables import *  # noqa: F403
from grognard.server.wire.wishes import *  # noqa: F403
