"""The rows of a pool that are free, as runs."""

from bisect import insort

from ropeguard.catalogue import error


class FreeRows:
    """Hands out rows in as few runs as it can."""

    def __init__(self, rows: int) -> None:
        self._runs = [(0, rows)] if rows else []
        self._rows = rows

    def __len__(self) -> int:
        """Return how many rows are free."""
        return sum(length for _, length in self._runs)

    def take(self, count: int) -> list[int]:
        """Take rows: the smallest run that holds them all, else the longest ones.

        Args:
            count: How many.
        """
        if count > len(self):
            raise error("pool-full", wanted=count, free=len(self), rows=self._rows)
        fitting = [run for run in self._runs if run[1] >= count]
        order = sorted(fitting, key=_length) or sorted(self._runs, key=_length, reverse=True)
        taken: list[int] = []
        for start, length in order:
            part = min(length, count - len(taken))
            if not part:
                break
            self._runs.remove((start, length))
            taken += range(start, start + part)
            if part < length:
                insort(self._runs, (start + part, length - part))
        return taken

    def give(self, rows: list[int]) -> None:
        """Give rows back.

        Args:
            rows: Rows that were taken.
        """
        self._runs = _joined(sorted(self._runs + [(row, 1) for row in rows]))


def _length(run: tuple[int, int]) -> int:
    return run[1]


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, length in runs:
        end = sum(joined[-1]) if joined else -1
        if start < end:
            raise error("slot-not-taken", slot=start)
        if start == end:
            joined[-1] = (joined[-1][0], joined[-1][1] + length)
        else:
            joined.append((start, length))
    return joined
