# Waft on one machine. Needs Go, Node.js with npm, and make; `make help` lists the
# targets.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

# Where the engines keep their data, logs and pid files.
WAFT_DIR ?= .waft
# The exports of the example app, which demo, tests and benchmarks read. `make reset` leaves them.
EXPORTS := build/exports
DEVSTACK := bin/devstack
# The version of a release, such as 0.1.0; without one, builds say 0.1.0-dev and their commit.
VERSION ?=
SERVER_FLAGS := -ldflags=-X=github.com/waft-ota/waft/internal/version.released=$(VERSION)
ENGINE_FLAGS := $(shell devstack/temporal-flags.sh)

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-18s %s\n", $$1, $$2}'

run: up ## Start everything in the foreground; Ctrl-C ends it
	@trap : INT; $(DEVSTACK) wait --dir $(WAFT_DIR)

up: build ## Start what is not running, in the background
	@$(DEVSTACK) up --dir $(WAFT_DIR) --waftd bin/waftd
	@set -a; . $(WAFT_DIR)/engines.env; . $(WAFT_DIR)/secrets.env; set +a; \
	  WAFT_SETUP_LINK="$$(WAFT_BASE_URL=$$WAFT_URL bin/waftd setup-link --if-needed)" \
	  bin/waft demo-project --env-file $(WAFT_DIR)/demo.env

setup-link: ## Print the link that makes the first account of what runs
	@test -f $(WAFT_DIR)/engines.env || { echo "nothing is running: start Waft with 'make run' in another terminal, or 'make up'" >&2; exit 1; }
	@set -a; . $(WAFT_DIR)/engines.env; set +a; WAFT_BASE_URL=$$WAFT_URL bin/waftd setup-link

down: devstack ## Stop everything; the data stays
	@$(DEVSTACK) down --dir $(WAFT_DIR)

reset: devstack ## Stop everything and drop its data
	@$(DEVSTACK) reset --dir $(WAFT_DIR)

status: devstack ## Show what runs, and where
	@$(DEVSTACK) status --dir $(WAFT_DIR)

engines: devstack ## Start only Postgres, Temporal and ClickHouse, for `go test ./...`
	@$(DEVSTACK) up --dir $(WAFT_DIR) --engines-only

demo: build ## Play a rollout and a rollback on the running server
	@test -f $(WAFT_DIR)/demo.env || { echo "nothing is running: start Waft with 'make run' in another terminal, or 'make up'" >&2; exit 1; }
	@$(MAKE) --no-print-directory exports || echo "the Expo exports could not be built; the demo makes bundles of its own" >&2
	@set -a; . $(WAFT_DIR)/demo.env; set +a; bin/waft demo --exports $(EXPORTS)

attack: build ## Replay what strangers could do against the running server, and print what held
	@test -f $(WAFT_DIR)/demo.env || { echo "nothing is running: start Waft with 'make run' in another terminal, or 'make up'" >&2; exit 1; }
	@go build -o bin/attack ./attack
	@set -a; . $(WAFT_DIR)/engines.env; . $(WAFT_DIR)/demo.env; WAFT_CLI=bin/waft; set +a; bin/attack

# Tested with the race detector, which needs cgo and a C compiler. CONTRIBUTING.md says why these.
RACE := models internal/delivery internal/flags internal/rollout internal/snapshot
# Tested with nothing beside them, since they say how long something may take.
ALONE := TestManyKeyedCommandsAtOnce|TestCommandsAnswerAtOnce|TestManyStreamsOfFlags|TestTheDemoBehindDockersProxy|TestDashboard|TestDashboardOutlivesItsEngines
empty :=

test: build objects exports openfeature sdk ## Run every test against the real engines
	cd devstack && go test ./... && go test -tags temporalcli ./internal/temporal
	cd dashboard && npx vitest run && node scripts/budgets.mjs
	@race=-race; \
	if [ "$$(go env CGO_ENABLED)" != 1 ] || ! command -v "$$(go env CC)" >/dev/null; then \
	  race=; echo "cgo is off or there is no C compiler ($$(go env CC)): testing without the race detector" >&2; \
	fi; \
	set -x; go test $$race $(addprefix ./,$(RACE))
	$(DEVSTACK) exec -- env CHROMIUM="$$(tools/chromium.sh)" WAFT_TEST_ALONE=1 go test -timeout 15m -parallel 1 ./e2e -run '^($(ALONE))$$'
	$(DEVSTACK) exec -- env CHROMIUM="$$(tools/chromium.sh)" go test -timeout 18m -skip '^($(ALONE))$$' \
	  $$(go list ./... | grep -vE '/waft/($(subst $(empty) $(empty),|,$(RACE)))$$')
	go test -tags clouds -run Cloud ./internal/assets

fuzz: ## Run every fuzz target for FUZZTIME, 10s unless given
	tools/fuzz.sh $(or $(FUZZTIME),10s)

bench-check: ## Fail when a benchmark lost a fifth of its speed, measured by its ratio to a reference
	WAFT_BENCH_CHECK=1 go test -p 1 -run '^$$' -bench '^BenchmarkRatio' -benchtime 1x \
	  $$(grep -rl --include='*_test.go' '^func BenchmarkRatio' api internal telemetry | xargs -n 1 dirname | sort -u | sed 's|^|./|')

bench: devstack ## Measure beside bare services: management, or with BENCH=delivery what devices get; docs/benchmarks.md
	cd bench && go build -o ../bin/bench .
	$(if $(filter flags,$(BENCH)),cd bench/flags && go run .)
	$(DEVSTACK) exec --durable -- bin/bench $(BENCH)

lint: ## Check format, layers, workflow determinism and generated code
	cd tools/lint && go build -o ../../bin/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint go.temporal.io/sdk/contrib/tools/workflowcheck
	bin/golangci-lint run --allow-parallel-runners ./...
	cd devstack && ../bin/golangci-lint run --allow-parallel-runners --config ../.golangci.yml ./...
	cd bench && ../bin/golangci-lint run --allow-parallel-runners --config ../.golangci.yml ./...
	cd bench/flags && ../../bin/golangci-lint run --allow-parallel-runners --config ../../.golangci.yml ./...
	bin/workflowcheck ./workflows/...
	$(MAKE) --no-print-directory generate
	cd dashboard && npx tsc && npx eslint .
	@git diff --exit-code -- client docs/bucket-vectors.json dashboard/src/api/schema.d.ts || { echo "generated files are stale: commit what 'make generate' wrote" >&2; exit 1; }

vulncheck: ## Look for known vulnerabilities in what the code calls
	cd tools/lint && go build -o ../../bin/ golang.org/x/vuln/cmd/govulncheck
	bin/govulncheck ./...
	cd devstack && ../bin/govulncheck ./...

generate: dashboard/node_modules/.package-lock.json ## Write the OpenAPI document and the clients made from it
	go run ./cmd/waftd openapi --version 3.0 > client/openapi.json
	go generate ./client
	cd dashboard && node scripts/generate-client.mjs

record-histories: build ## Record workflow histories for the replay tests
	$(DEVSTACK) exec -- go test ./workflows -run TestRecordHistories -record

build: devstack dashboard ## Build the dashboard, and the binaries into bin/
	@go build $(SERVER_FLAGS) -o bin/ ./cmd/...

# What the dashboard is built from. Its tests are not.
DASHBOARD := $(shell find dashboard/src dashboard/public -type f) $(addprefix dashboard/,index.html sign-in.html vite.config.ts tsconfig.json scripts/compressed.ts)

dashboard: dashboard/dist/index.html ## Build the web pages that the binary embeds
dashboard/dist/index.html: dashboard/node_modules/.package-lock.json $(DASHBOARD)
	@cd dashboard && npx vite build --logLevel warn
	@touch $@

dashboard/node_modules/.package-lock.json: dashboard/package-lock.json
	cd dashboard && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# CHROMIUM is a browser of this machine, or Debian's where that may be installed.
test-dashboard: build ## Test the dashboard: its components, its size, and its pages in a browser on real engines
	cd dashboard && npx vitest run && node scripts/budgets.mjs
	WAFT_TEST_PAGES="$(TESTS)" CHROMIUM="$$(tools/chromium.sh)" $(DEVSTACK) exec -- go test -count=1 -parallel 1 -timeout 10m -run '^TestDashboard' ./e2e

screenshots: build ## Save every page of the dashboard as PNG into dashboard/screenshots
	WAFT_SCREENSHOTS=1 CHROMIUM="$$(tools/chromium.sh)" $(DEVSTACK) exec -- go test -count=1 -timeout 15m -run '^TestDashboard$$' ./e2e

devstack: $(if $(wildcard bin/devstack),,first) deps
	@go -C devstack build $(ENGINE_FLAGS) -o ../bin/ ./cmd/devstack

# The first time, everything is downloaded and compiled at once, with the progress shown.
first:
	@echo "Preparing the first start…"
	@go -C devstack run ./cmd/firststart -engine-flags='$(ENGINE_FLAGS)' -server-flags='$(SERVER_FLAGS)'

# npm's own marker says which lock file node_modules was installed from.
deps: devstack/node_modules/.package-lock.json
devstack/node_modules/.package-lock.json: devstack/package-lock.json
	cd devstack && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

objects: ## Build the S3-compatible server that tests store assets in
	@cd tools/objects && go build -o ../../bin/ github.com/versity/versitygw/cmd/versitygw

exports: sdk/expo/dist/index.js ## Export the example app: a stable version, the next one, a broken one; the stable one as plain JavaScript and for the web
	@for version in stable next broken; do examples/expo-app/export.sh $$version $(EXPORTS)/$$version; done
	@examples/expo-app/export.sh stable $(EXPORTS)/plain --no-bytecode
	@examples/expo-app/export.sh stable $(EXPORTS)/web --platform web

openfeature: examples/openfeature/node_modules/.package-lock.json ## Install the SDKs of the OpenFeature example
examples/openfeature/node_modules/.package-lock.json: examples/openfeature/package-lock.json
	cd examples/openfeature && npm ci --ignore-scripts --loglevel=error
	@touch $@

sdk: sdk/node_modules/.package-lock.json ## Check and build the packages for apps
	cd sdk && npm run check --loglevel=error
sdk/expo/dist/index.js: sdk/node_modules/.package-lock.json sdk/expo/package.json $(wildcard sdk/expo/src/*)
	cd sdk && npm run build -w expo --loglevel=error
sdk/node_modules/.package-lock.json: sdk/package-lock.json
	cd sdk && npm ci --ignore-scripts --loglevel=error
	@touch $@

.PHONY: help run up setup-link down reset status engines demo attack test fuzz bench bench-check lint vulncheck generate record-histories build devstack first deps objects exports openfeature sdk dashboard test-dashboard screenshots
