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

func servePostgres() *cobra.Command {
	settings := postgres.Settings{Env: stack.EngineEnv()}
	cmd := hidden("serve-postgres", "Run Postgres as a child that ends with this process; "+postgres.PasswordVariable+" is its password",
		func(ctx context.Context) error { return postgres.Serve(ctx, settings) })
	cmd.Flags().StringVar(&settings.Dir, "dir", "", "absolute folder, in which the data folder is made")
	cmd.Flags().IntVar(&settings.Port, "port", 5433, "port")
	return cmd
}

func serveClickHouse() *cobra.Command {
	var data, listen, database, config string
	cmd := hidden("serve-clickhouse", "Run the ClickHouse engine in this process; "+clickhouse.PasswordVariable+" is its password",
		func(ctx context.Context) error { return clickhouse.Serve(ctx, data, listen, database, config) })
	cmd.Flags().StringVar(&data, "data", "", "absolute data folder")
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8124", "address")
	cmd.Flags().StringVar(&database, "database", "waft", "database to create")
	cmd.Flags().StringVar(&config, "config", "", "absolute path of a ClickHouse configuration file to merge, such as a file with remote_servers")
	return cmd
}

func serveTemporal() *cobra.Command {
	var data string
	var port, uiPort int
	cmd := hidden("serve-temporal", "Run the Temporal server and its web UI in this process",
		func(ctx context.Context) error { return temporal.Serve(ctx, data, port, uiPort) })
	cmd.Flags().StringVar(&data, "data", "", "absolute data folder")
	cmd.Flags().IntVar(&port, "port", 7234, "port of the server")
	cmd.Flags().IntVar(&uiPort, "ui-port", 8234, "port of the web UI")
	return cmd
}
