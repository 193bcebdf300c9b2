# `make app` opens the app, `make test` runs the whole suite; each makes .venv on first use.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/installed
WORKERS ?= 2

.PHONY: app test lint clean

app: $(STAMP)
	$(BIN)/streamlit run app.py

test: $(STAMP)
	@command -v chromium >/dev/null 2>&1 || { command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ] \
		&& apt-get update -qq && apt-get install -y -qq chromium; } || echo "No browser: its tests are skipped."
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadscope

lint: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# torch goes first: its own wheel is far smaller than what a resolver may choose.
$(STAMP): requirements.txt
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --disable-pip-version-check -q $$(grep -o '^torch==[^ ]*' requirements.txt)
	$(BIN)/python -m pip install --disable-pip-version-check -q -r requirements.txt
	touch $@

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis
