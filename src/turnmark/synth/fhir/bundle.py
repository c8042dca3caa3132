"""One FHIR bundle: its resources, which patient each belongs to, and what its references point at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from turnmark.schemas.problems import Problem, shown
from turnmark.synth.fhir.elements import Element, Resource, element, elements, text

_DIRECTORY = frozenset({"Organization", "Practitioner", "PractitionerRole", "Location"})
"""Resources of the bundles about hospitals and staff that Synthea writes beside those of patients."""


class Bundle:
    """The resources of a bundle by type, and the way from a reference to its resource.

    Attributes:
        file: The name of the file, for messages.
        patients: The Patient resources.

    """

    def __init__(self, file: str, content: Element) -> None:
        self.file = file
        self._by_type: dict[str, list[Resource]] = {}
        self._by_reference: dict[str, Resource] = {}
        for index, entry in enumerate(elements(content, "entry")):
            body = element(entry, "resource")
            if not isinstance(body, dict):
                continue
            resource = Resource(file, f"$.entry[{index}].resource", body)
            kind, own_id = text(body.get("resourceType")), text(body.get("id"))
            self._by_type.setdefault(kind, []).append(resource)
            for reference in (text(element(entry, "fullUrl")), f"{kind}/{own_id}" if own_id else ""):
                if reference:
                    self._by_reference.setdefault(reference, resource)

    @property
    def is_directory(self) -> bool:
        """Whether a bundle lists hospitals and staff only; there is no patient to look for."""
        return bool(self._by_type) and self._by_type.keys() <= _DIRECTORY

    @property
    def patients(self) -> list[Resource]:
        """The patients of the bundle, in its order."""
        return self._by_type.get("Patient", [])

    def of_type(self, *kinds: str) -> Iterator[Resource]:
        """Every resource of these types, in the order of the bundle within a type."""
        for kind in kinds:
            yield from self._by_type.get(kind, [])

    def resolve(self, reference: Any, container: Element) -> Resource | None:
        """What a Reference points at: a contained resource, or an entry by address or ``Type/id``; None for nothing."""
        target = text(element(reference, "reference"))
        if target.startswith("#"):
            for body in elements(container, "contained"):
                if text(body.get("id")) == target[1:]:
                    return Resource(self.file, target, body)
            return None
        if not target:
            return None
        relative = "/".join(target.split("/_history")[0].split("/")[-2:])
        return self._by_reference.get(target) or self._by_reference.get(relative)

    def belongs_to(self, resource: Resource, patient: Resource) -> bool | None:
        """Whether a resource is about this patient; None when its subject points at nothing.

        A resource without subject belongs to the only patient of a bundle.
        """
        reference = element(resource.body, "subject") or element(resource.body, "patient")
        if not isinstance(reference, dict) or not text(reference.get("reference")):
            return len(self.patients) == 1
        subject = self.resolve(reference, resource.body)
        return None if subject is None else subject is patient


def read_bundle(path: Path) -> Bundle | Problem:
    """The bundle of a file, or why it is none; without patients only when it lists hospitals and staff."""
    try:
        content = msgspec.json.decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Problem(file=str(path), expected="a FHIR bundle in JSON", found=str(error), advice="export it again")
    kind = element(content, "resourceType")
    if kind != "Bundle":
        return Problem(
            file=str(path),
            field="$.resourceType",
            expected='"Bundle"',
            found=shown(kind),
            advice="put the patient's resources into one bundle a file",
        )
    bundle = Bundle(str(path), content)
    if not bundle.patients and not bundle.is_directory:
        return Problem(file=str(path), field="$.entry", expected="a Patient resource", found="none")
    return bundle
