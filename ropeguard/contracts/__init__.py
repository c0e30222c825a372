"""Contracts: annotations compiled into checks, and violations as plain data."""

from ropeguard.contracts.call import Call as Call, open_call as open_call
from ropeguard.contracts.contract import (
    Contract as Contract,
    Source as Source,
    contract_of as contract_of,
    source_of_fields as source_of_fields,
    source_of_function as source_of_function,
)
from ropeguard.contracts.nodes import Node as Node
from ropeguard.contracts.values import (
    Distinct as Distinct,
    Finite as Finite,
    InRange as InRange,
    MultipleOf as MultipleOf,
    Positive as Positive,
    SameDtype as SameDtype,
    Unique as Unique,
)
from ropeguard.contracts.violation import (
    Argument as Argument,
    Binding as Binding,
    Origin as Origin,
    Violation as Violation,
)
