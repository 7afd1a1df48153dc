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

// host is the only address that anything listens on.
const host = "127.0.0.1"

// clusterName names this one-process cluster in its database.
const clusterName = "active"

// servicePorts are where the server's parts reach each other.
type servicePorts map[primitives.ServiceName]int

// choosePorts gives the frontend its port and the rest any free ones.
func choosePorts(ctx context.Context, frontend int) (servicePorts, error) {
	ports := servicePorts{primitives.FrontendService: frontend}
	for _, name := range []primitives.ServiceName{
		primitives.HistoryService, primitives.MatchingService, primitives.WorkerService,
	} {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
		if err != nil {
			return nil, err
		}
		// Held until all are chosen, so that no two are the same.
		defer listener.Close()
		ports[name] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

func (p servicePorts) address(name primitives.ServiceName) string {
	return net.JoinHostPort(host, strconv.Itoa(p[name]))
}

// hosts says where each part runs: all of them here, so that none has to be
// discovered.
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

// quick are the settings that make one developer's server answer at once
// where a cluster protects itself or caches.
func quick() dynamicconfig.StaticClient {
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
