package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/devstack/internal/clickhouse"
	"github.com/waft-ota/waft/devstack/internal/postgres"
	"github.com/waft-ota/waft/devstack/internal/stack"
	"github.com/waft-ota/waft/devstack/internal/temporal"
)

// hidden makes a command with which devstack runs an engine.
func hidden(use, short string, run func(context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs, Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context()) },
	}
}

func prepare() *cobra.Command {
	return hidden("prepare", "Make the links between Postgres's libraries, which npm packages cannot have",
		func(context.Context) error { return postgres.Prepared() })
}

func servePostgres() *cobra.Command {
	settings := postgres.Settings{Env: stack.EngineEnv()}
	cmd := hidden("serve-postgres", "Run Postgres as a child that ends with this process; "+postgres.PasswordVariable+" is its password",
		func(ctx context.Context) error { return postgres.Serve(ctx, settings) })
	cmd.Flags().StringVar(&settings.Dir, "dir", "", "absolute folder, in which the data folder is made")
	cmd.Flags().StringVar(&settings.Host, "host", "", "address to listen on, such as 0.0.0.0 in a container; loopback if empty")
	cmd.Flags().IntVar(&settings.Port, "port", 5433, "port")
	return cmd
}

func serveClickHouse() *cobra.Command {
	var o clickhouse.Options
	cmd := hidden("serve-clickhouse", "Run the ClickHouse engine in this process; "+clickhouse.PasswordVariable+" is its password",
		func(ctx context.Context) error { return clickhouse.Serve(ctx, o) })
	cmd.Flags().StringVar(&o.Folder, "data", "", "absolute data folder")
	cmd.Flags().StringVar(&o.Address, "listen", "127.0.0.1:8124", "address")
	cmd.Flags().StringSliceVar(&o.Names, "name", nil, "host that requests may name, in addition to localhost, such as the name of a container")
	cmd.Flags().StringVar(&o.User, "user", clickhouse.User, "name of the user")
	cmd.Flags().StringVar(&o.Database, "database", "waft", "database to create")
	cmd.Flags().StringVar(&o.Config, "config", "",
		"absolute path of a ClickHouse configuration file to merge, such as a file with remote_servers")
	return cmd
}

func serveTemporal() *cobra.Command {
	var data, bind string
	var port, uiPort int
	cmd := hidden("serve-temporal", "Run the Temporal server and its web UI in this process",
		func(ctx context.Context) error { return temporal.Serve(ctx, data, bind, port, uiPort) })
	cmd.Flags().StringVar(&data, "data", "", "absolute data folder")
	cmd.Flags().StringVar(&bind, "host", "127.0.0.1", "address that the server listens on, such as 0.0.0.0 in a container")
	cmd.Flags().IntVar(&port, "port", 7234, "port of the server")
	cmd.Flags().IntVar(&uiPort, "ui-port", 8234, "port of the web UI")
	return cmd
}
