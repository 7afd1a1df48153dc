package e2e

import (
	"encoding/base64"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
)

// settings returns the environment of a new installation: a database in Postgres and one in ClickHouse, both with the
// schema, a task queue, a bucket and a data folder.
func settings(t *testing.T) map[string]string {
	t.Helper()
	temporal, namespace := enginetest.Temporal(t)
	env := settingsWithoutEngines(t)
	env["DATABASE_URL"] = storetest.Database(t)
	env["CLICKHOUSE_URL"] = enginetest.PreparedClickHouse(t, func(clickHouseURL string) error {
		return telemetry.Migrate(t.Context(), clickHouseURL)
	})
	env["TEMPORAL_ADDRESS"], env["TEMPORAL_NAMESPACE"] = temporal, namespace
	current.Store(enginesOf(env), true)
	return env
}

// engines are the databases and the Temporal of an installation.
type engines struct{ databaseURL, clickHouseURL, temporal, namespace string }

// current holds the engines whose schemas are current, because settings prepared them.
var current sync.Map

func enginesOf(env map[string]string) engines {
	return engines{env["DATABASE_URL"], env["CLICKHOUSE_URL"], env["TEMPORAL_ADDRESS"], env["TEMPORAL_NAMESPACE"]}
}

// settingsWithoutEngines returns settings without the engines' addresses.
func settingsWithoutEngines(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{
		"WAFT_LISTEN_ADDR":      "127.0.0.1:0",
		"WAFT_ADMIN_ADDR":       "127.0.0.1:0",
		"WAFT_TASK_QUEUE":       "e2e-" + uuid.NewString(),
		"WAFT_ROOT_KEY":         models.NewAPIKeyToken().Reveal(),
		"WAFT_SECRET_KEY":       base64.StdEncoding.EncodeToString(make([]byte, 32)),
		"WAFT_ASSET_BUCKET_URL": "file://" + t.TempDir(),
		"WAFT_DATA_DIR":         t.TempDir(),
		"WAFT_LOG_LEVEL":        "warn",
	}
}
