//go:build !temporalcli

package temporal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/membership/static"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/schema/sqlite"
	"google.golang.org/protobuf/types/known/durationpb"
)

const clusterName = "active"

type servicePorts map[primitives.ServiceName]int

// choosePorts returns the given port for the frontend, and free ports for the others. They are below the range of
// outgoing connections and of listeners on any port, so that they are still free when the services listen.
func choosePorts(ctx context.Context, frontend int) (servicePorts, error) {
	ports := servicePorts{primitives.FrontendService: frontend}
	for _, name := range []primitives.ServiceName{
		primitives.HistoryService, primitives.MatchingService, primitives.WorkerService,
	} {
		listener, err := listenBelow(ctx)
		if err != nil {
			return nil, err
		}
		// It stays open until all are chosen, so that they differ.
		defer listener.Close()
		ports[name] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

// listenBelow listens on one of the ports from 10000 to 14999.
func listenBelow(ctx context.Context) (listener net.Listener, err error) {
	for range 100 {
		port := strconv.Itoa(10_000 + rand.IntN(5000))
		if listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, port)); err == nil {
			return listener, nil
		}
	}
	return nil, err
}

func (p servicePorts) address(name primitives.ServiceName) string {
	return net.JoinHostPort(host, strconv.Itoa(p[name]))
}

func (p servicePorts) hosts() map[primitives.ServiceName]static.Hosts {
	hosts := map[primitives.ServiceName]static.Hosts{}
	for name := range p {
		hosts[name] = static.SingleLocalHost(p.address(name))
	}
	return hosts
}

// serverConfig returns the configuration of a server whose frontend listens on the address bind. The other services listen on loopback.
func serverConfig(store *config.SQL, bind string, ports servicePorts) *config.Config {
	frontend := ports.address(primitives.FrontendService)
	services := map[string]config.Service{}
	for name, port := range ports {
		listen := host
		if name == primitives.FrontendService {
			listen = bind
		}
		services[string(name)] = config.Service{RPC: config.RPC{GRPCPort: port, BindOnIP: listen}}
	}
	return &config.Config{
		Global: config.Global{
			Membership: config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: host},
		},
		Persistence: config.Persistence{
			DefaultStore:     sqliteplugin.PluginName,
			VisibilityStore:  sqliteplugin.PluginName,
			NumHistoryShards: 1,
			DataStores:       map[string]config.DataStore{sqliteplugin.PluginName: {SQL: store}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterName,
			CurrentClusterName:       clusterName,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: frontend},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services:            services,
		Archival: config.Archival{
			History:    config.HistoryArchival{State: config.ArchivalDisabled},
			Visibility: config.VisibilityArchival{State: config.ArchivalDisabled},
		},
		NamespaceDefaults: config.NamespaceDefaults{
			Archival: config.ArchivalNamespaceDefaults{
				History:    config.HistoryArchivalNamespaceDefaults{State: config.ArchivalDisabled},
				Visibility: config.VisibilityArchivalNamespaceDefaults{State: config.ArchivalDisabled},
			},
		},
		PublicClient: config.PublicClient{HostPort: frontend},
	}
}

// developmentSettings turns off rate limits and caches that a cluster needs.
func developmentSettings() dynamicconfig.StaticClient {
	const unlimited = 1_000_000
	return dynamicconfig.StaticClient{
		dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key(): true,
		dynamicconfig.NamespaceCacheRefreshInterval.Key():           200 * time.Millisecond,
		dynamicconfig.FrontendRPS.Key():                             unlimited,
		dynamicconfig.FrontendMaxNamespaceRPSPerInstance.Key():      unlimited,
		dynamicconfig.FrontendPersistenceMaxQPS.Key():               unlimited,
		dynamicconfig.HistoryPersistenceMaxQPS.Key():                unlimited,
		dynamicconfig.MatchingPersistenceMaxQPS.Key():               unlimited,
		dynamicconfig.VisibilityPersistenceMaxReadQPS.Key():         unlimited,
		dynamicconfig.VisibilityPersistenceMaxWriteQPS.Key():        unlimited,
		// Partitions have no use in one process.
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,
	}
}

// retention is how long closed workflows stay visible.
const retention = 7 * 24 * time.Hour

// openStore returns the configuration of the folder's database, which it creates with the
// schema and the namespace if it does not exist.
func openStore(folder string) (*config.SQL, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
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

// createStore creates the database in a temporary folder and renames it, so that an
// interrupted start does not leave an incomplete schema.
func createStore(path string) error {
	work, err := os.MkdirTemp(filepath.Dir(path), "new-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	fresh := storeConfig(filepath.Join(work, "temporal.db"))
	// The database is then a single file, which can be renamed.
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
			// A commit reaches the kernel before it is acknowledged, so a killed process
			// loses none.
			"journal_mode": "wal",
			"synchronous":  "normal",
			"busy_timeout": "10000",
		},
	}
}
