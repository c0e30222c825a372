"""Diagnosis: from a violation to the record that describes it, and the error that says so."""

from ropeguard.diagnosis.errors import (
    ContractError as ContractError,
    contract_error as contract_error,
)
