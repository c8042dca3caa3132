# make demo    set up, score the shipped example traces, say where the reports are
# make test    set up and run the tests (5 minutes at most)
# make check   lint, types, floors, docs, coverage (10 minutes at most)
# make verify  slow tests: kills, simulations, large inputs (no limit)
# make docs    write the generated pages again

export PATH := $(or $(PATH),/usr/local/bin:/usr/bin:/bin)
VENV := .venv/bin
EXAMPLES := src/turnmark/examples/finance

.PHONY: demo test check verify docs clean

demo:
	@tools/setup.sh core
	@$(VENV)/turnmark score $(EXAMPLES)/careful --out runs/example_careful
	@$(VENV)/turnmark score $(EXAMPLES)/hasty --out runs/example_hasty
	@echo
	@echo "Open in a browser:"
	@echo "  $(CURDIR)/runs/example_careful/report.html"
	@echo "  $(CURDIR)/runs/example_hasty/report.html"

test:
	@tools/setup.sh dev
	$(VENV)/python -m pytest -n 2 -m "not slow"

check:
	@tools/setup.sh dev
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(VENV)/lint-imports
	$(VENV)/python tools/generate.py --check
	$(VENV)/python -m pytest -n 2 -m "not slow" --cov --cov-report=term

verify:
	@tools/setup.sh dev
	$(VENV)/python -m pytest -m slow

docs:
	@tools/setup.sh dev
	$(VENV)/python tools/generate.py

clean:
	rm -rf .venv .venv.log runs .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
