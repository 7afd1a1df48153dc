//go:build !temporalcli

package temporal

import (
	"context"
	"fmt"

	ui "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	uioptions "github.com/temporalio/ui-server/v2/server/server_options"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/temporal"
)

// Serve runs the server and its web UI on loopback until ctx ends.
func Serve(ctx context.Context, folder string, port, uiPort int) error {
	store, err := openStore(folder)
	if err != nil {
		return err
	}
	ports, err := choosePorts(ctx, port)
	if err != nil {
		return err
	}
	server, err := temporal.NewServer(
		temporal.WithConfig(serverConfig(store, ports)),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(ports.hosts()),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(log.Config{Stdout: true, Level: "warn"}))),
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper {
			return authorization.NewNoopClaimMapper()
		}),
		temporal.WithDynamicConfigClient(developmentSettings()),
	)
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	web := webUI(ports.address(primitives.FrontendService), uiPort)
	served := make(chan error, 1)
	go func() { served <- web.Start() }()
	fmt.Printf("Temporal answers on %s:%d, its web UI on http://%s:%d\n", host, port, host, uiPort)
	select {
	case err = <-served:
	case <-ctx.Done():
		web.Stop()
	}
	if stopErr := server.Stop(); err == nil {
		err = stopErr
	}
	return err
}

func webUI(frontend string, port int) *ui.Server {
	return ui.NewServer(uioptions.WithConfigProvider(&uiconfig.Config{
		TemporalGRPCAddress: frontend,
		Host:                host,
		Port:                port,
		EnableUI:            true,
		DefaultNamespace:    Namespace,
		DisableNewsFetch:    true,
		HideLogs:            true,
		// Served without TLS, on loopback.
		CORS: uiconfig.CORS{CookieInsecure: true},
	}))
}
