"""Where errors of others pass by, they get a note: an excepthook, a block, pytest, IPython."""

from ropeguard.integrations.explaining import (
    Explanation as Explanation,
    explain as explain,
)
from ropeguard.integrations.ipython import (
    load_ipython_extension as load_ipython_extension,
    unload_ipython_extension as unload_ipython_extension,
)
from ropeguard.integrations.translating import (
    Translation as Translation,
    annotate as annotate,
    install_excepthook as install_excepthook,
    translate as translate,
)
