# make demo       set up, play the shipped dialogues with two offline agents, score them and four recorded runs
# make test       set up and run the tests (5 minutes at most)
# make check      lint, types, floors, docs, coverage (10 minutes at most)
# make verify     slow tests: kills, simulations, large inputs (no limit)
# make mutants    change gate, statistics, metrics and scope at random: do the tests notice (ROOM=gate, MOST=80)
# make wheel      build sdist and wheel into dist/, and see that they hold every file
# make extras     each extra installs and imports alone in a bare environment (ONLY=excel for one; minutes)
# make image      container image, from the wheel; nothing of it runs as root
# make site       documentation site into build/site, strictly
# make docs       write the generated pages again

export PATH := $(or $(PATH),/usr/local/bin:/usr/bin:/bin)
VENV := .venv/bin
EXAMPLES := src/turnmark/examples
CLINICAL := src/turnmark/examples/clinical

.PHONY: demo test check verify mutants wheel extras image site docs clean

demo:
	@tools/setup.sh core
	@$(VENV)/turnmark score $(EXAMPLES)/finance/careful --out runs/example_careful
	@$(VENV)/turnmark score $(EXAMPLES)/finance/hasty --out runs/example_hasty
	@$(VENV)/turnmark run $(EXAMPLES)/finance/dataset.jsonl --agent demo --out runs/demo --overwrite
	@$(VENV)/turnmark run $(EXAMPLES)/finance/dataset.jsonl --agent demo-plain --out runs/demo_plain --overwrite
	@$(VENV)/turnmark compare runs/demo_plain runs/demo --out runs/demo_comparison
	@$(VENV)/turnmark score $(EXAMPLES)/clinical/llm/events.jsonl --suite clinical --out runs/clinical_llm
	@$(VENV)/turnmark score $(EXAMPLES)/clinical/agent/events.jsonl --suite clinical --out runs/clinical_agent
	@$(VENV)/turnmark compare runs/clinical_llm runs/clinical_agent --out runs/clinical_comparison
	@$(VENV)/turnmark score $(EXAMPLES)/rag/cases.jsonl --suite rag --out runs/rag
	@echo
	@echo "Open in a browser:"
	@echo "  $(CURDIR)/runs/demo/report.html                 (an agent with memory, played just now)"
	@echo "  $(CURDIR)/runs/demo_plain/report.html           (the same without memory)"
	@echo "  $(CURDIR)/runs/demo_comparison/comparison.html  (the two compared)"
	@echo "  $(CURDIR)/runs/example_careful/report.html"
	@echo "  $(CURDIR)/runs/example_hasty/report.html"
	@echo "  $(CURDIR)/runs/clinical_llm/report.html         (answers to patients: a plain model ...)"
	@echo "  $(CURDIR)/runs/clinical_agent/report.html       (... and an agent that remembers)"
	@echo "  $(CURDIR)/runs/clinical_comparison/comparison.html"
	@echo "  $(CURDIR)/runs/rag/report.html                  (RAG cases)"
	@echo
	@echo "What was found:"
	@$(VENV)/turnmark report runs/example_hasty runs/clinical_llm runs/rag --lang en

test:
	@tools/setup.sh dev
	$(VENV)/python -m pytest -n 2 --dist loadfile -m "not slow"

check:
	@tools/setup.sh dev
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(VENV)/lint-imports
	$(VENV)/python tools/generate.py --check
	$(VENV)/python -m pytest -n 2 --dist loadfile -m "not slow" --cov --cov-report=term

verify:
	@tools/setup.sh dev
	$(VENV)/python -m pytest -m slow

mutants:
	@tools/setup.sh dev
	$(VENV)/python tools/mutants.py $(ROOM) $(if $(MOST),--most $(MOST))

wheel:
	@tools/setup.sh dev
	$(VENV)/python tools/wheel.py

extras: wheel
	$(VENV)/python tools/extras.py $(ONLY)

image: wheel
	docker build --tag turnmark:latest .

site:
	@tools/setup.sh dev
	@$(VENV)/python -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	$(VENV)/python tools/documentation.py

docs:
	@tools/setup.sh dev
	$(VENV)/python tools/generate.py

clean:
	rm -rf .venv .venv.log runs .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
