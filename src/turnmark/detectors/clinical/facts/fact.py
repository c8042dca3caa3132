"""One clinical mention of a text as typed values; its prose is made from them when somebody is to read it."""

from __future__ import annotations

from typing import NamedTuple

from turnmark.detectors.clinical.read.comparison import shown
from turnmark.detectors.clinical.read.terms import Term, analyte_of
from turnmark.language.quantity.quantity import Quantity

FactType = str
"""Of a fact: "medication", "condition", "lab", "vital", "demographic", or the slot that tells it ("allergies")."""
OTHER_PERSON = "other person"
IN_THE_RECORD = "in the record"


class Fact(NamedTuple):
    """One clinical mention of an answer.

    Attributes:
        type: See `FactType`.
        name: What is spoken of, by its canonical name: "hba1c", "metformin", "gout"; "age" or "sex".
        quote: The words; ``answer[start:end] == quote``.
        start: First code point in the answer.
        end: End of the span.
        patient_claim: True when the answer says it of this patient.
        denied: True when the answer says that the patient does not have or take it.
        hallucinated: True when it is a claim that the record denies or does not hold.
        cause: The kind of cue that decided whether it is a claim: "absence", "listed", "in the record".
        record: What the record has of the matter, in its words; empty when it is silent.
        amounts: Dose, value (two of a blood pressure) or age.
        stage: Stage of a disease, or None.
        said: What a fact says that names a sex ("male"), or of a text slot or a date ("former", "2024-03-01"), else "".
        terms: What the name may stand for.
        undecided: True of a claim that the record can not bear out or deny: it does not fill the slot.
        side: The side of the body ("left", "right", "both") that an operation, or a condition wrong by it, is told of;
            with the part ("left knee") where the name of the condition lacks it.

    """

    type: FactType
    name: str
    quote: str
    start: int
    end: int
    patient_claim: bool
    denied: bool
    hallucinated: bool
    cause: str
    record: tuple[str, ...] = ()
    amounts: tuple[Quantity, ...] = ()
    stage: int | None = None
    said: str = ""
    terms: tuple[Term, ...] = ()
    undecided: bool = False
    side: str = ""

    @property
    def is_measured(self) -> bool:
        """Whether it is a value that is measured: a lab, a vital, or a quantity of another slot."""
        return bool(self.amounts) and self.type not in ("medication", "demographic")

    @property
    def unit(self) -> str:
        """The unit of the amounts; "" without one."""
        return self.amounts[-1].unit if self.amounts else ""

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers of the amounts, both ends of a range."""
        return tuple(
            number
            for amount in self.amounts
            for number in ((amount.low,) if amount.low == amount.high else (amount.low, amount.high))
        )

    @property
    def is_range(self) -> bool:
        """Whether an amount is a range rather than a number."""
        return any(amount.low != amount.high for amount in self.amounts)

    @property
    def of_other(self) -> bool:
        """Whether it is said of somebody else than the patient."""
        return self.cause == OTHER_PERSON and not self.patient_claim

    @property
    def analyte(self) -> str:
        """The identity of a lab or vital: "hba1c"."""
        return analyte_of(self.name)

    @property
    def value(self) -> str:
        """What is stated, in words: "hba1c 7.9 percent", "metformin 1000 mg", "age 67", "no gout"."""
        if self.type == "demographic":
            return f"{self.name} {self.said or shown(self.amounts[0])}"
        if self.is_measured:
            return f"{self.name} {'/'.join(map(shown, self.amounts))} {self.unit}".strip()
        said = " ".join(word for word in (self.side, self.name, self.said) if word)
        if self.amounts:
            said = f"{said} {self.amounts[0].low:g} {self.unit}"
        elif self.stage:
            said = f"{said} stage {self.stage}"
        return f"no {said}" if self.denied else said

    @property
    def reason(self) -> str:
        """Why it is judged so, in a few words: the kind of cue that decided, and what the record has."""
        return f"{self.cause}: {self.known}"

    @property
    def known(self) -> str:
        """What the record has of the matter, in words."""
        if self.undecided:
            return "the record does not say"
        if self.type == "demographic":
            return f"the record says {self.record[0] if self.record else 'nothing'}"
        if not self.record:
            return "not in the record"
        if self.is_measured:
            return f"the record holds {', '.join(self.record)}"
        return f"the record holds {self.record[0]!r}"
