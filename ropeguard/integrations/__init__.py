"""Where errors of others pass by, they get a note: an excepthook, a block, pytest."""

from ropeguard.integrations.translating import (
    Translation as Translation,
    annotate as annotate,
    install_excepthook as install_excepthook,
    translate as translate,
)
