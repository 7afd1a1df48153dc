package main

import (
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/devstack/internal/clickhouse"
	"github.com/waft-ota/waft/devstack/internal/postgres"
	"github.com/waft-ota/waft/devstack/internal/stack"
	"github.com/waft-ota/waft/devstack/internal/temporal"
)

func servePostgres() *cobra.Command {
	var settings postgres.Settings
	cmd := &cobra.Command{
		Use:    "serve-postgres",
		Short:  "Run Postgres as a child that ends with this process",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings.Env = stack.EngineEnv()
			return postgres.Serve(cmd.Context(), settings)
		},
	}
	cmd.Flags().StringVar(&settings.Dir, "dir", "", "absolute folder, in which the data folder is made")
	cmd.Flags().IntVar(&settings.Port, "port", 5433, "port")
	cmd.Flags().StringVar(&settings.Password, "password", "", "the password that the data folder is made with")
	return cmd
}

func serveClickHouse() *cobra.Command {
	var data, listen, database, config string
	cmd := &cobra.Command{
		Use:    "serve-clickhouse",
		Short:  "Run the ClickHouse engine in this process",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return clickhouse.Serve(cmd.Context(), data, listen, database, config)
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "absolute data folder")
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8124", "address")
	cmd.Flags().StringVar(&database, "database", "waft", "database to create")
	cmd.Flags().StringVar(&config, "config", "", "absolute path of a ClickHouse configuration file, such as one with remote_servers")
	return cmd
}

func serveTemporal() *cobra.Command {
	var data string
	var port, uiPort int
	cmd := &cobra.Command{
		Use:    "serve-temporal",
		Short:  "Run the Temporal server and its web UI in this process",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return temporal.Serve(cmd.Context(), data, port, uiPort)
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "absolute data folder")
	cmd.Flags().IntVar(&port, "port", 7234, "port of the server")
	cmd.Flags().IntVar(&uiPort, "ui-port", 8234, "port of the web UI")
	return cmd
}
