//go:build !temporalcli

package temporal

import (
	"context"
	"net"
	"strconv"
	"time"

	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/membership/static"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
)

// clusterName names this one-process cluster in its database.
const clusterName = "active"

// servicePorts are the ports on which the server's parts reach each other.
type servicePorts map[primitives.ServiceName]int

// choosePorts returns the given port for the frontend and free ports for the rest.
func choosePorts(ctx context.Context, frontend int) (servicePorts, error) {
	ports := servicePorts{primitives.FrontendService: frontend}
	for _, name := range []primitives.ServiceName{
		primitives.HistoryService, primitives.MatchingService, primitives.WorkerService,
	} {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
		if err != nil {
			return nil, err
		}
		// It stays open until all are chosen, so that no two are the same.
		defer listener.Close()
		ports[name] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

func (p servicePorts) address(name primitives.ServiceName) string {
	return net.JoinHostPort(host, strconv.Itoa(p[name]))
}

// hosts lists where each part runs. All of them run in this process, so no part
// needs to discover another.
func (p servicePorts) hosts() map[primitives.ServiceName]static.Hosts {
	hosts := map[primitives.ServiceName]static.Hosts{}
	for name := range p {
		hosts[name] = static.SingleLocalHost(p.address(name))
	}
	return hosts
}

func serverConfig(store *config.SQL, ports servicePorts) *config.Config {
	frontend := ports.address(primitives.FrontendService)
	services := map[string]config.Service{}
	for name, port := range ports {
		services[string(name)] = config.Service{RPC: config.RPC{GRPCPort: port, BindOnIP: host}}
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

// developmentSettings turn off the rate limits and caches by which a cluster
// protects itself.
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
		// One process gains nothing from spreading a queue.
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,
	}
}
