//go:build !temporalcli

package temporal

import (
	"context"
	"fmt"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/temporal"
)

// Serve runs the server, which listens on the address bind, and its web UI on loopback until ctx ends.
func Serve(ctx context.Context, folder, bind string, port, uiPort int) error {
	store, err := openStore(folder)
	if err != nil {
		return err
	}
	ports, err := choosePorts(ctx, port)
	if err != nil {
		return err
	}
	server, err := temporal.NewServer(
		temporal.WithConfig(serverConfig(store, bind, ports)),
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
	fmt.Printf("Temporal listens on %s:%d, its web UI on http://%s:%d\n", bind, port, host, uiPort)
	err = serveUI(ctx, ports.address(primitives.FrontendService), uiPort)
	if stopErr := server.Stop(); err == nil {
		err = stopErr
	}
	return err
}
