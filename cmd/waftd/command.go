package main

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/api"
	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/version"
)

func newCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "waftd",
		Short:         "Waft's server: over-the-air release delivery for mobile apps",
		Long:          "Settings come from the environment; `waftd env` lists them.",
		Version:       version.String(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		serveCommand("serve", "Run the API and the worker in one process", app.Role{API: true, Worker: true}),
		serveCommand("api", "Run the API", app.Role{API: true}),
		serveCommand("worker", "Run the worker that executes rollouts", app.Role{Worker: true}),
		migrateCommand(), envCommand(), openAPICommand(), versionCommand(),
	)
	return root
}

func serveCommand(use, short string, role app.Role) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.FromEnv()
			if err != nil {
				return err
			}
			log := newLogger(cfg, cmd.ErrOrStderr())
			log.Info("starting", "role", use, "version", version.String(), "settings", cfg)
			server, err := app.New(cmd.Context(), cfg, role, log)
			if err != nil {
				return err
			}
			return server.Run(cmd.Context())
		},
	}
}

func migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Bring both databases to this version's schema and register Temporal's search attributes", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.FromEnv()
			if err != nil {
				return err
			}
			return app.Migrate(cmd.Context(), cfg, newLogger(cfg, cmd.ErrOrStderr()))
		},
	}
}

func envCommand() *cobra.Command {
	return &cobra.Command{
		Use: "env", Short: "List the environment variables that the server reads", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, v := range config.Variables() {
				note := ""
				switch {
				case v.Required:
					note = " (required)"
				case v.Default != "":
					note = " (default " + v.Default + ")"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s%s\n    %s\n", v.Name, note, v.Doc)
			}
			return nil
		},
	}
}

func openAPICommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "openapi", Short: "Print the OpenAPI document", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			write, ok := map[string]func() ([]byte, error){"3.1": api.OpenAPI, "3.0": api.OpenAPI30}[format]
			if !ok {
				return fmt.Errorf("--version must be 3.1 or 3.0, not %q", format)
			}
			document, err := write()
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(document)
			return err
		},
	}
	cmd.Flags().StringVar(&format, "version", "3.1", "3.1, or 3.0 for generators that know no newer one")
	return cmd
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), "waftd", version.String()) },
	}
}

func newLogger(cfg config.Config, w io.Writer) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.LogLevel)); err != nil {
		level = slog.LevelInfo // config let nothing else through
	}
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewTextHandler(w, options)
	if cfg.LogFormat == "json" {
		handler = slog.NewJSONHandler(w, options)
	}
	if level > slog.LevelDebug {
		handler = withoutRepeats(handler, time.Now)
	}
	return slog.New(handler)
}
