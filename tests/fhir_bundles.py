"""Small FHIR bundles for tests: one function a resource, R4 unless a test says otherwise."""

import json

SYSTEMS = {
    "SCT": "http://snomed.info/sct",
    "LOINC": "http://loinc.org",
    "RXNORM": "http://www.nlm.nih.gov/research/umls/rxnorm",
    "ICD": "http://hl7.org/fhir/sid/icd-10",
}
SUBJECT = {"reference": "urn:uuid:p1"}


def concept(text="", **codes):
    return {
        "text": text,
        "coding": [{"system": SYSTEMS[system], "code": code, "display": text} for system, code in codes.items()],
    }


def coded(code):
    return {"coding": [{"code": code}]}


def patient(own_id="p1", gender="female", birth="1960-06-15", **more):
    return {"resourceType": "Patient", "id": own_id, "gender": gender, "birthDate": birth, **more}


def condition(text="", status="active", onset="2015-03-02", **codes):
    verified = codes.pop("verification", "confirmed")
    ended = codes.pop("ended", None)
    found = {
        "resourceType": "Condition",
        "clinicalStatus": coded(status),
        "verificationStatus": coded(verified),
        "code": concept(text, **codes),
        "subject": SUBJECT,
        "onsetDateTime": onset,
    }
    return {**found, "abatementDateTime": ended} if ended else found


def medication(text, day="2019-01-10", status="active", **more):
    return {
        "resourceType": "MedicationRequest",
        "status": status,
        "intent": "order",
        "medicationCodeableConcept": concept(text),
        "subject": SUBJECT,
        "authoredOn": day,
        **more,
    }


def observation(loinc, value, unit, day="2020-05-01", **more):
    return {
        "resourceType": "Observation",
        "status": "final",
        "code": concept("", LOINC=loinc),
        "subject": SUBJECT,
        "effectiveDateTime": day,
        "valueQuantity": {"value": value, "unit": unit, "code": unit},
        **more,
    }


def pressure(upper, lower, day="2020-05-01"):
    found = observation("55284-4", None, None, day)
    del found["valueQuantity"]
    found["component"] = [
        {"code": concept("", LOINC=code), "valueQuantity": {"value": value, "unit": "mm[Hg]", "code": "mm[Hg]"}}
        for code, value in (("8480-6", upper), ("8462-4", lower))
    ]
    return found


def procedure(text, day="2018-07-07", status="completed", **codes):
    return {
        "resourceType": "Procedure",
        "status": status,
        "code": concept(text, **codes),
        "subject": SUBJECT,
        "performedPeriod": {"start": day, "end": day},
    }


def about(own_id, resource):
    """The resource with another patient as its subject."""
    return {**resource, "subject": {"reference": f"Patient/{own_id}"}}


def other_patient(own_id):
    """A bundle of a patient with nothing but gout."""
    return bundle(patient(own_id), about(own_id, condition("Gout", SCT="90560007")))


def bundle(*resources):
    return {
        "resourceType": "Bundle",
        "type": "transaction",
        "entry": [
            {"fullUrl": f"urn:uuid:{resource.get('id', number)}", "resource": resource}
            for number, resource in enumerate(resources)
        ],
    }


def write(folder, name, content):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    return path


def diabetic():
    """A woman with diabetes, kidney disease and hypertension; the day of the record is 2020-05-01."""
    return bundle(
        patient(),
        condition("Hypertension", SCT="38341003", onset="2010-01-01"),
        condition("Diabetes", SCT="44054006", onset="2012-01-01"),
        condition("Chronic kidney disease stage 3 (disorder)", SCT="433144002", onset="2016-01-01"),
        condition("Viral sinusitis (disorder)", SCT="444814009", status="resolved"),
        medication("Metformin hydrochloride 500 MG Oral Tablet", "2012-01-01"),
        medication("24 HR Metformin hydrochloride 1000 MG Extended Release Oral Tablet", "2018-01-01"),
        medication("Losartan Potassium 50 MG Oral Tablet", "2013-01-01"),
        medication("Naproxen 500 MG Oral Tablet", status="stopped"),
        pressure(147.6, 89.9),
        observation("8867-4", 71.7, "/min"),
        observation("39156-5", 27.04, "kg/m2"),
        observation("29463-7", 70.02, "kg"),
        observation("4548-4", 9.9, "%", "2018-01-01"),
        observation("4548-4", 7.236, "%"),
        observation("2339-0", 8.5, "mmol/L"),
        observation("33914-3", 48.3, "mL/min/{1.73_m2}"),
        observation("6298-4", 5.44, "mmol/L"),
        procedure("Percutaneous coronary intervention", SCT="415070008"),
        procedure("Documentation of current medications", SCT="428191000124101"),
    )
