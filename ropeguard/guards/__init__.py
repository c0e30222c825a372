"""Guards: callables and classes that check their contracts."""

from ropeguard.guards.decorator import guard as guard
from ropeguard.guards.importing import install_import_hook as install_import_hook
from ropeguard.guards.levels import Level as Level, level as level, set_level as set_level
from ropeguard.guards.showing import show as show
