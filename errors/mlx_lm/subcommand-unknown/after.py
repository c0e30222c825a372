import sys

from mlx_lm.cli import main

options = ["--help"]
sys.argv = ["mlx_lm", "generate", *options]
main()
