//go:build !temporalcli

package temporal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/config"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/schema/sqlite"
	"google.golang.org/protobuf/types/known/durationpb"
)

// retention is how long closed workflows stay visible.
const retention = 7 * 24 * time.Hour

// openStore makes sure that the folder holds a database with the schema and
// the namespace, and returns its configuration.
func openStore(folder string) (*config.SQL, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "temporal.db")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := createStore(path); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}

	types := map[string]enumspb.IndexedValueType{}
	for name, kind := range searchAttributes {
		types[name] = enumspb.IndexedValueType(enumspb.IndexedValueType_shorthandValue[kind])
	}
	store := storeConfig(path)
	namespace, err := sqlite.NewNamespaceConfig(clusterName, Namespace, false, types)
	if err != nil {
		return nil, err
	}
	namespace.Detail.Config.Retention = durationpb.New(retention)
	if err := sqlite.CreateNamespaces(store, namespace); err != nil {
		return nil, fmt.Errorf("create the namespace: %w", err)
	}
	return store, nil
}

// createStore builds the database in a temporary folder and then renames it, so
// that an interrupted start leaves no partial schema.
func createStore(path string) error {
	work, err := os.MkdirTemp(filepath.Dir(path), "new-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()

	fresh := storeConfig(filepath.Join(work, "temporal.db"))
	// One plain file, with nothing beside it that would have to move along.
	fresh.ConnectAttributes["journal_mode"] = "delete"
	if err := sqlite.SetupSchema(fresh); err != nil {
		return fmt.Errorf("create the schema: %w", err)
	}
	return os.Rename(fresh.DatabaseName, path)
}

func storeConfig(path string) *config.SQL {
	return &config.SQL{
		PluginName:   sqliteplugin.PluginName,
		DatabaseName: path,
		ConnectAttributes: map[string]string{
			"mode": "rwc",
			// A commit is in the kernel's hands before it is acknowledged, so
			// that a killed process loses none.
			"journal_mode": "wal",
			"synchronous":  "normal",
			"busy_timeout": "10000",
		},
	}
}
