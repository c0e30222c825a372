"""What a record is: one typed class for each table of a `record.toml`."""

import attrs

from ropeguard.catalogue.message_model import (
    Field as Field,
    Operand as Operand,
    Pattern as Pattern,
    Repair as Repair,
)


@attrs.frozen
class Deprecation:
    """Since when and why a record is no longer given.

    Attributes:
        version: The release that deprecated it.
        reason: What took its place, or why nothing did.
    """

    version: str
    reason: str


@attrs.frozen
class Situation:
    """A real cause of the error.

    Attributes:
        text: What somebody was doing.
        link: The public issue or page that tells of it.
    """

    text: str
    link: str | None = None


@attrs.frozen
class Solution:
    """A way out.

    Attributes:
        text: What to do.
        applicability: `verified` (executed in the tests), `likely` or `manual`.
        fixer: The name of the function that computes it from a violation.
    """

    text: str
    applicability: str
    fixer: str | None = None


@attrs.frozen
class Prevention:
    """How to meet the error earlier, or never.

    Attributes:
        tips: Habits that avoid it.
        code: A program whose guard reports the fault before the faulty work runs. A mistake that
            raises nothing may have none, where no contract can catch it.
    """

    tips: tuple[str, ...]
    code: str | None = None


@attrs.frozen
class Link:
    """Further reading."""

    title: str
    url: str


@attrs.frozen
class ViolationRule:
    """Which violated contracts the record describes; the rule with most conditions wins.

    Attributes:
        kind: The violation's kind.
        stage: The violation's stage, or `any`.
        function: The guarded function, by its qualified name.
        arguments: The arguments that may be to blame.
        axes: The axes that may be to blame, by name or index.
    """

    kind: str
    stage: str
    function: str | None = None
    arguments: tuple[str, ...] = ()
    axes: tuple[int | str, ...] = ()


@attrs.frozen
class RaiseSite:
    """Where the package raises it.

    Attributes:
        module: The module's dotted name.
        function: The function in that module.
    """

    module: str
    function: str | None = None


@attrs.frozen
class Record:
    """One kind of error, in every field of a `record.toml`.

    Attributes:
        id: `RG` and four digits, for ever.
        slug: `<subject>-<defect>` in kebab case.
        title: What went wrong, in a few words.
        status: `stable`, `preview` or `deprecated`.
        since: The release that brought it.
        origin: Whose error it is: the folder above the record's.
        exception: The builtin that a caller can catch; `nothing` for a mistake that raises none.
        severity: `error` or `warning`.
        message: The message, with `{field}` for each value.
        documentation: What the error means and why it exists.
        trigger_scenarios: Calls that end in it.
        common_situations: Real causes.
        solutions: Ways out, the likeliest first.
        validation_code: A snippet that passes after the fix.
        prevention: How to meet it earlier.
        handling_strategy: What a caller does about it.
        tags: Topics, of a closed list.
        raise_sites: Where the package raises it.
        aliases: Former slugs.
        deprecated: Only with that status.
        type_guard: A function that tells right from wrong values.
        try_catch_pattern: How to catch it.
        ops: Operations it concerns, of a closed list.
        related: Slugs of records to read next.
        links: Further reading.
        device: What the programs need beside a CPU, of a closed list. Where it is missing, they
            are not run, and `expected.txt` is what the source of the other package says.
        needs: Packages that the programs import besides ropeguard's own dependencies.
        versions: The releases in which another package's message was executed: those of MLX for
            the origins `mlx` and `mlx_nn`, those of mlx-lm for `mlx_lm`.
        fields: The values in the message.
        patterns: The messages of other packages that mean the same.
        context: For messages that other packages give too: a text of several lines is of this
            record only if it also holds one of these.
        readings: Sentences that say what the values mean, as `sentences` fills them; the first
            that the values of a text can fill is shown.
        repair: What has to hold of the values, where they are shapes.
        violations: The violated contracts that it describes.
    """

    id: str
    slug: str
    title: str
    status: str
    since: str
    origin: str
    exception: str
    severity: str
    message: str
    documentation: str
    trigger_scenarios: tuple[str, ...]
    common_situations: tuple[Situation, ...]
    solutions: tuple[Solution, ...]
    validation_code: str
    prevention: Prevention
    handling_strategy: str
    tags: tuple[str, ...]
    raise_sites: tuple[RaiseSite, ...]
    aliases: tuple[str, ...] = ()
    deprecated: Deprecation | None = None
    type_guard: str | None = None
    try_catch_pattern: str | None = None
    ops: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    needs: tuple[str, ...] = ()
    device: str | None = None
    versions: tuple[str, ...] = ()
    fields: dict[str, Field] = attrs.field(factory=dict)
    patterns: tuple[Pattern, ...] = ()
    context: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    repair: Repair | None = None
    violations: tuple[ViolationRule, ...] = ()


@attrs.frozen
class Tombstone:
    """A record that was removed, and whose id is never used again.

    Attributes:
        id: Its code.
        slug: Its slug.
        version: The release that removed it.
        reason: Why.
        replaced_by: Slugs of the records that took its place.
    """

    id: str
    slug: str
    version: str
    reason: str
    replaced_by: tuple[str, ...] = ()


@attrs.frozen
class Source:
    """A record with its programs, as a folder holds them.

    Attributes:
        record: The typed fields.
        folder: Where it was read from.
        before: The program that ends in the error.
        after: The same program with the fix.
        expected: The error as `before` prints it.
    """

    record: Record
    folder: str
    before: str
    after: str
    expected: str
