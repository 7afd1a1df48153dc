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
SERVER_FLAGS := -ldflags=-X=github.com/waft-ota/waft/internal/base/version.released=$(VERSION)
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
	@set -a; . $(WAFT_DIR)/engines.env; . $(WAFT_DIR)/demo.env; WAFT_CLI=bin/waft; WAFT_SERVER=bin/waftd; set +a; bin/attack

# Where test runners leave their results; bin/suite reads them.
RESULTS := build/test-results
# How often a test that failed is run again. `make soak-tests` sets 0.
RERUNS ?= 2
# A number runs tests in the random order that belongs to it.
SHUFFLE ?= off
# `make test` runs the short form of the tests that have one. `make soak-tests` sets SHORT to nothing, which runs them in full.
SHORT ?= -short
export WAFT_TEST_RESULTS = $(abspath $(RESULTS))
export WAFT_TEST_RERUNS = $(RERUNS)
export WAFT_TEST_SHUFFLE = $(filter-out off,$(SHUFFLE))

# $(call gotest,NAME,PACKAGES,FLAGS,RERUNS) runs Go tests, which `make lint` vets, and writes their events to NAME's file of results. A
# failed test runs again unless RERUNS is 0, more than five failed, one panicked, found a race, or a package did not compile.
gotest = $(abspath bin/gotestsum) --format pkgname-and-test-fails --format-hide-empty-pkg --hide-summary skipped,failed,output --no-color \
	--jsonfile $(abspath $(RESULTS))/go-$(1).json --rerun-fails=$(or $(4),$(RERUNS)) --rerun-fails-max-failures=5 --rerun-fails-run-root-test \
	--rerun-fails-abort-on-data-race --packages="$(2)" -- -vet=off -ldflags='-s -w' $(addprefix -shuffle=,$(filter-out off,$(SHUFFLE))) $(3)

# Tested with the race detector, which needs cgo and a C compiler, with every package below them. CONTRIBUTING.md says why these.
RACE := models internal/decide internal/serve/snapshot
empty :=
space := $(empty) $(empty)

test: ## Run every test against the real engines, the long ones in a short form
	@$(MAKE) --no-print-directory devstack
	@$(MAKE) --no-print-directory -j2 --output-sync=target test-inputs
	@rm -rf $(RESULTS) && mkdir -p $(RESULTS)
	@status=0; for step in $(STEPS); do \
	  began=$$SECONDS; $(MAKE) --no-print-directory $$step || status=$$?; \
	  echo "$$step: $$((SECONDS - began)) s"; \
	done; bin/suite report $(RESULTS); exit $$status

# One after the other: two at a time take longer on two processors.
STEPS := test-suite test-devstack test-light test-engines test-pages test-bench

# What tests need, built before the first of them begins. Two at a time, because downloads and exports leave processors idle.
test-inputs: build suite objects proxies prometheus exports openfeature sdk-dist

suite:
	@cd tools/suite && go build -o ../../bin/ . gotest.tools/gotestsum

# Tests and engines make much garbage beside small heaps: with Go's default of 100, its collection takes a tenth of the processors.
test-engines test-bench test-pages page-test kill-test backup-test docs-test container-test full-test: export GOGC = 400

# The short form of the page tests. Browser and servers keep two processors busy, so nothing runs beside these. Playwright itself runs a
# failed test again.
PAGES = ^Test($(PAGE_TESTS))$$
BROWSERS := CHROMIUM="$$(tools/chromium.sh)" WEBKIT_DRIVER="$$(tools/webkit.sh)"
test-pages:
	$(DEVSTACK) exec -- env $(BROWSERS) $(call gotest,pages,./e2e,-timeout 20m -parallel 2 $(SHORT) -run '$(PAGES)',0)

# Two packages run at a time, in this order: the longest first, and beside it at first the tests of workflows, which mostly wait. Short
# ones come last, so that both places are taken until the end. A package that is listed twice runs once.
test-engines:
	$(DEVSTACK) exec -- env CHROMIUM="$$(tools/chromium.sh)" $(call gotest,engines,./e2e ./workflows/... ./telemetry ./internal/store/... $$(go list ./... | grep -vE '/waft/($(subst $(space),|,$(RACE) workflows))(/|$$)' | tr '\n' ' '),-timeout 40m $(SHORT) -skip '$(PAGES)|^Test($(BACKUP_TESTS))$$')

# Tests with a short form, which asks enginetest.Sized or testing.Short. deploy/makefile_test.go compares these lists with the tests.
KILL_TESTS := RolloutsEndRightWhateverIsKilled|NoReportIsLostOrDoubledWhateverIsKilled|TheMainJobWithTheWorkerKilled
CONTAINER_TESTS := TheDemoBehindDockersProxy
PAGE_TESTS := Dashboard|DashboardOutlivesItsEngines
# They back up and restore whole installations.
BACKUP_TESTS := BackupIsRestoredOnAnotherMachine|BackupThatIsKilledLeavesNothing|BackupHasTheReportsOfAKilledServer|InterruptedRestoreIsRepeated|BackupOfABucketOnS3|BackupToAFullDiskKeepsTheEarlierOnes|ABackupOfOlderSchemasIsMigrated|ABackupOfANewerSchemaIsRefused|ARecoveredPostgresIsSettledAsOfItsMoment
DOCS_TESTS := Examples|Pages|TheSiteLeadsFromAnotherServerToARestore
# They compare what Waft counts with what the test counts.
TRUTH_TESTS := ErrorGroupsAreExact|EstimatesAreNearTheTruth|EventHealthIsTheTruth|EveryFigureIsTheTruth|EveryFigureOnAClusterIsTheTruth|EveryFigureOverHTTPIsTheTruth|ReleaseHealthIsTheTruth
# They make random or many calls.
MANY_TESTS := EveryWayToEvaluateAgrees|LocalEvaluationAgreesWithTheServer|ManyKeyedCommandsTogether|PreviewsSayWhatThenHappens|SnapshotsFollowRandomConcurrentOperations|WhatIsAnsweredIsServed
# They walk through everything of a kind.
WALK_TESTS := Devices|EveryEndpoint|EveryListIsSortedAndCounted|EveryOperationIsCarriedOutWhenItIsApproved|EveryPathTakesTheOtherIdentifierOfARecord|EventsAreListedNewestFirstAndOnce|ListsCostTheSameInALargeProject|NoTenantReachesAnother|PagesReachOverDays|PostgresAway|Roles|StatesOfErrorGroups
# They send or publish what is large.
LARGE_TESTS := BadReportsAreClearErrorsAndCountNothing|BehindAProxy|TheMainJob|TheMainJobWithRealExports
FULL_TESTS = $(TRUTH_TESTS)|$(MANY_TESTS)|$(WALK_TESTS)|$(LARGE_TESTS)

# $(call fulltest,NAME,TESTS,PACKAGES,VARIABLES,RERUNS) runs tests in full and reports their results, which are in a folder of their own.
page-test kill-test backup-test docs-test container-test full-test: RESULTS = build/$@-results
define fulltest
@rm -rf $(RESULTS) && mkdir -p $(RESULTS)
status=0; $(DEVSTACK) exec -- env $(4) $(call gotest,$(1),$(3),-count=1 -timeout 20m -run '^Test($(2))$$',$(5)) || status=$$?; \
  bin/suite report $(RESULTS); exit $$status
endef

# Benchmarks in their short form, which shows that they work and measures nothing. SLOW_BENCHES fill databases, start several servers
# or compare variants. `make bench-test` runs them.
SLOW_BENCHES := ^TestShortForms$$/^bench (allocations|badreports|contention|errors|groups|idle|ingestcost|logins|neighbours|overview|pages|patches|projects|projectstream|propagation|rollback|statistics|storage|telemetry)$$
test-bench:
	$(DEVSTACK) exec -- env -C bench $(call gotest,bench,./...,-timeout 20m -skip '$(SLOW_BENCHES)')
	cd bench/flags && $(call gotest,bench-flags,./...,)

test-devstack:
	cd devstack && $(call gotest,devstack,./...,)
	cd devstack && $(call gotest,temporalcli,./internal/temporal,-tags temporalcli)

test-race:
	@race=-race; \
	if [ "$$(go env CGO_ENABLED)" != 1 ] || ! command -v "$$(go env CC)" >/dev/null; then \
	  race=; echo "cgo is off or there is no C compiler ($$(go env CC)): testing without the race detector" >&2; \
	fi; \
	set -x; $(call gotest,race,$(patsubst %,./%/...,$(RACE)),$$race)

# They use no engines. Two of them run at a time.
test-light:
	@$(MAKE) --no-print-directory -k -j2 --output-sync=target test-race test-sdk test-vitest test-clouds test-docs

test-vitest:
	cd dashboard && npx vitest run && node scripts/budgets.mjs

test-sdk: sdk-dist
	cd sdk && npm run check --loglevel=error

test-docs: docs/node_modules/.package-lock.json
	cd docs && npm test --silent

test-clouds:
	$(call gotest,clouds,./internal/assets,-tags clouds -run Cloud)

test-suite:
	cd tools/suite && $(call gotest,suite,./...,)

soak-tests: ## Run the suite until N runs (5) of this commit are recorded, in random order beside a busy loop, and print what failed how often
	tools/soak.sh $(or $(N),5)

bench-test: build sdk-dist ## Run the slow benchmarks in their short form, which `make test` leaves out
	$(DEVSTACK) exec -- env -C bench CHROMIUM="$$(tools/chromium.sh)" go test -vet=off -count=1 -timeout 20m -run '$(SLOW_BENCHES)' ./...
	node bench/reports/reports.mjs -short

page-test: test-inputs ## Run every page test in a browser; `make test` opens each page once and walks through the main tasks
	$(call fulltest,pages,$(PAGE_TESTS),./e2e,$(BROWSERS),0)

kill-test: test-inputs ## Kill every process and engine again and again while 60 releases roll out; `make test` does it with 5
	$(call fulltest,kill,$(KILL_TESTS),./e2e,WAFT_TEST_SCALE=4)

backup-test: test-inputs ## Back up whole installations, restore them, and interrupt both; `make test` leaves it out
	$(call fulltest,backup,$(BACKUP_TESTS),./e2e ./internal/app/backups)

docs-test: test-inputs docs ## Build the site, and run every command of its pages; `make test` runs a few pages
	$(call fulltest,docs,$(DOCS_TESTS),./e2e)

container-test: test-inputs ## Play the demo behind Docker's proxy, then image-test; `make test` only creates the demo's project
	$(call fulltest,container,$(CONTAINER_TESTS),./e2e)
	@$(MAKE) --no-print-directory image-test

image-test: build objects ## Build the images, and play the main job in waft-all-in-one and in docker-compose.yml, as root on Debian
	deploy/containers/run.sh

helm-test: ## Render the Helm chart, and check its objects with the types and rules of Kubernetes
	cd deploy/helm/tests && go test -vet=off -count=1 -ldflags='-s -w' ./...

upgrade-test: build objects ## Upgrade from the commit before, or from UPGRADE_FROM, while rollouts run; and try to go back
	@parent="$$(tools/parent.sh)"; test -z "$$parent" || { \
	  $(DEVSTACK) exec -- env WAFT_TEST_PARENT="$$parent" go test -vet=off -count=1 -tags upgrade -run '^TestAnUpgrade' ./e2e && \
	  WAFT_TEST_PARENT="$$parent" deploy/containers/run.sh; }

pod-test: devstack dashboard objects ## Run the pods of the Helm chart in Podman against real engines, as root on Debian
	deploy/pods/run.sh

import-test: test-inputs ## Import from real servers of xprem and hot-updater, which CONTRIBUTING.md says how to get
	$(DEVSTACK) exec -- go test -vet=off -count=1 -tags peers -run '^TestImportFrom' ./e2e

full-test: test-inputs ## Run the other tests in full that `make test` runs in a short form
	$(call fulltest,full,$(FULL_TESTS),./e2e ./telemetry ./internal/store)

check: build suite ## Check before a commit, in minutes: lint of what changed, unit tests, the main job on real engines
	@$(DEVSTACK) up --dir $(WAFT_DIR) --engines-only
	tools/lint/changed.sh
	go test -vet=off $$(tools/unit-packages.sh)
	go test -vet=off -count=1 ./e2e -run '^TestTheMainJob$$'

fuzz: ## Run every fuzz target for FUZZTIME, 10s unless given
	tools/fuzz.sh $(or $(FUZZTIME),10s)

bench-check: ## Fail when a benchmark lost a fifth of its speed, measured by its ratio to a reference
	WAFT_BENCH_CHECK=1 go test -p 1 -run '^$$' -bench '^BenchmarkRatio' -benchtime 1x \
	  $$(grep -rl --include='*_test.go' '^func BenchmarkRatio' api internal telemetry | xargs -n 1 dirname | sort -u | sed 's|^|./|')

bench: devstack ## Measure beside bare services: management, or with BENCH=delivery what devices get; docs/contribute/benchmarks.md
	cd bench && go build -o ../bin/bench .
	$(if $(filter flags,$(BENCH)),cd bench/flags && go run .)
	$(if $(filter reports,$(BENCH)),node bench/reports/reports.mjs,$(DEVSTACK) exec --durable -- bin/bench $(BENCH))

lint: lint-words ## Check format, prose, layers, sizes of folders and types, workflow determinism and generated code
	cd tools/lint && go build -o ../../bin/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint go.temporal.io/sdk/contrib/tools/workflowcheck
	bin/golangci-lint run --allow-parallel-runners ./...
	cd devstack && ../bin/golangci-lint run --allow-parallel-runners --config ../.golangci.yml ./...
	cd bench && ../bin/golangci-lint run --allow-parallel-runners --config ../.golangci.yml ./...
	cd bench/flags && ../../bin/golangci-lint run --allow-parallel-runners --config ../../.golangci.yml ./...
	cd tools/suite && ../../bin/golangci-lint run --allow-parallel-runners --config ../../.golangci.yml ./...
	cd deploy/helm/tests && ../../../bin/golangci-lint run --allow-parallel-runners --config ../../../.golangci.yml ./...
	cd tools/packages && ../../bin/golangci-lint run --allow-parallel-runners --config ../../.golangci.yml ./...
	cd tools/dashboards && ../../bin/golangci-lint run --allow-parallel-runners --config ../../.golangci.yml ./...
	tools/lint/speed.sh
	cd tools/lint && go test -count=1 ./limits ./words
	bin/workflowcheck ./workflows/...
	go tool -modfile=tools/go.mod actionlint -shellcheck= -pyflakes=
	$(MAKE) --no-print-directory generate
	cd dashboard && npx tsc && npx eslint .
	$(MAKE) --no-print-directory lint-sdk lint-openapi lint-dashboards lint-docs
	@git diff --exit-code -- client docs/bucket-vectors.json dashboard/src/api/schema.d.ts || { echo "generated files are stale: commit what 'make generate' wrote" >&2; exit 1; }

lint-openapi: tools/openapi/node_modules/.package-lock.json ## Lint the OpenAPI documents, and compile the clients that strangers generate from them
	tools/openapi/check.sh

lint-dashboards: ## Check the dashboards for Grafana with Grafana's own schema
	cd tools/dashboards && go test -count=1 ./...

lint-docs: dashboard/node_modules/.package-lock.json docs ## Check types and style of the site's sources, and build it, which checks its links
	cd docs && npx tsc && ../dashboard/node_modules/.bin/eslint --config ../dashboard/eslint.config.js --ignore-pattern public .

tools/openapi/node_modules/.package-lock.json: tools/openapi/package-lock.json
	cd tools/openapi && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

lint-words: ## Check the prose of documents, comments and messages by docs/contribute/style.md
	cd tools/lint && go build -o ../../bin/ ./words github.com/vale-cli/vale/v3/cmd/vale
	bin/words

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

image: dashboard ## Build the image waft:local with this machine's Go, without a registry
	deploy/image.sh waft

image-all-in-one: dashboard deps ## Build the image waft-all-in-one:local, as root on Debian: Waft with its engines in one container
	deploy/image.sh all-in-one

docs: docs/node_modules/.package-lock.json docs/public/api/index.html ## Build the documentation as a site into build/site
	cd docs && npm run build --loglevel=error

# Its pages show screenshots, which page-test takes.
site-test: export WAFT_SITE_SCREENSHOTS = required
site-test: docs ## Test the site in a browser, with screenshots of the dashboard, which `make page-test` takes
	cd docs && CHROMIUM="$$(../tools/chromium.sh)" npx playwright test

docs-packages: docs/node_modules/.package-lock.json sdk/node_modules/.package-lock.json ## Write the reference pages of the packages from their types
	cd docs && npm run packages --silent

docs/node_modules/.package-lock.json: docs/package-lock.json
	cd docs && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# What the dashboard is built from. Its tests are not.
DASHBOARD := $(shell find dashboard/src dashboard/public -type f) $(addprefix dashboard/,index.html sign-in.html reference.html vite.config.ts tsconfig.json scripts/compressed.ts scripts/redoc.ts)

dashboard: dashboard/dist/index.html ## Build the web pages that the binary embeds
dashboard/dist/index.html: dashboard/node_modules/.package-lock.json $(DASHBOARD)
	@cd dashboard && npx vite build --logLevel warn
	@touch $@

# The page of the site that shows the API, with the committed document.
docs/public/api/index.html: dashboard/node_modules/.package-lock.json $(DASHBOARD) client/openapi.json
	@cd dashboard && npx vite build --mode site --logLevel warn
	@cp client/openapi.json docs/public/api/ && mv docs/public/api/reference.html $@

dashboard/node_modules/.package-lock.json: dashboard/package-lock.json
	cd dashboard && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# CHROMIUM is a browser of this machine, or Debian's where that may be installed.
test-dashboard: build ## Test the dashboard: its components, its size, and its pages in a browser on real engines
	$(MAKE) --no-print-directory test-vitest
	WAFT_TEST_PAGES="$(TESTS)" CHROMIUM="$$(tools/chromium.sh)" WEBKIT_DRIVER="$$(tools/webkit.sh)" $(DEVSTACK) exec -- go test -count=1 -timeout 15m -run '^TestDashboard' ./e2e

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

packager:
	@cd tools/packages && go build -o ../../bin/ .

package-files: packager # What packages contain besides binaries and files of the repository; GoReleaser calls it too
	@bin/packages prepare

package: dashboard package-files ## Build the Debian packages of server and CLI for amd64 and arm64 into build/packages
	@bin/packages build $(addprefix -version ,$(VERSION))

# The root filesystem on which the packages are installed.
DEBIAN_ROOT := build/debian-systemd
package-test: ## Install the Debian packages on a machine with systemd, run Waft there, upgrade it and remove it; root on Debian only
	@if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
	  echo "make package-test is left out: it needs root on Debian, to start a machine with systemd" >&2; \
	else $(MAKE) --no-print-directory package-test-here; fi

package-test-here: dashboard devstack packager
	cd tools/packages && go test -vet=off ./...
	@. tools/debian.sh; found runc >/dev/null || install runc
	@tools/debian-root.sh $(DEBIAN_ROOT) systemd systemd-sysv dbus ca-certificates postgresql nginx
	$(DEVSTACK) exec -- env WAFT_DEBIAN_ROOT=$(abspath $(DEBIAN_ROOT)) go test -vet=off -count=1 -timeout 20m -tags packages ./deploy/packages

objects: ## Build the S3-compatible server that tests store assets in
	@cd tools/objects && go build -o ../../bin/ github.com/versity/versitygw/cmd/versitygw

prometheus: ## Find Prometheus for the test of alerts and dashboards, or unpack Debian's
	@tools/prometheus.sh >/dev/null

proxies: ## Find nginx, HAProxy and Caddy for their test, or unpack Debian's
	@tools/proxies.sh >/dev/null

exports: sdk/expo/dist/index.js ## Export the example app: a stable version, the next one, a broken one; the stable one as plain JavaScript and for the web
	@for version in stable next broken; do examples/expo-app/export.sh $$version $(EXPORTS)/$$version; done
	@examples/expo-app/export.sh stable $(EXPORTS)/plain --no-bytecode
	@examples/expo-app/export.sh stable $(EXPORTS)/web --platform web

openfeature: examples/openfeature/node_modules/.package-lock.json ## Install the SDKs of the OpenFeature example
examples/openfeature/node_modules/.package-lock.json: examples/openfeature/package-lock.json
	cd examples/openfeature && npm ci --ignore-scripts --loglevel=error
	@touch $@

sdk: test-sdk lint-sdk ## Build and check the packages for apps

sdk-installs: sdk-dist ## Install the package for apps with npm into an empty app of each supported Expo SDK, and compare the versions
	cd sdk/expo && node test/installs.mjs

lint-sdk: sdk-dist docs/node_modules/.package-lock.json
	cd sdk && npm run lint --loglevel=error && npm run pack:check --workspaces --if-present --loglevel=error
	cd docs && npm run packages --silent -- --check

# What the packages for apps are built from. Their tests are not, but for the app of test/device.
SDK := $(shell find sdk/tools sdk/*/src sdk/*/api sdk/expo/test/device -type f) $(wildcard sdk/*.json sdk/*/package.json sdk/*/tsconfig*.json)

sdk-dist: sdk/expo/dist/index.js sdk/openfeature/dist/server.js
sdk/expo/dist/index.js sdk/openfeature/dist/server.js &: sdk/node_modules/.package-lock.json $(SDK)
	cd sdk && npm run build --loglevel=error
	@touch sdk/expo/dist/index.js sdk/openfeature/dist/server.js
sdk/node_modules/.package-lock.json: sdk/package-lock.json
	cd sdk && npm ci --ignore-scripts --loglevel=error
	@touch $@

.PHONY: help run up setup-link down reset status engines demo attack test test-inputs test-engines test-bench test-pages test-devstack test-race test-light test-vitest test-sdk test-clouds test-docs test-suite suite soak-tests page-test kill-test backup-test docs-test container-test image-test full-test helm-test pod-test upgrade-test package-test package-test-here import-test bench-test check fuzz bench bench-check lint lint-openapi lint-dashboards lint-docs lint-words vulncheck generate record-histories build image image-all-in-one devstack first deps packager package-files package objects proxies prometheus exports openfeature sdk sdk-dist sdk-installs lint-sdk dashboard test-dashboard screenshots docs docs-packages site-test
