package main

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/api"
	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/internal/config"
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
		command("migrate", "Bring both databases to this version's schema and register Temporal's search attributes",
			migrate),
		command("healthcheck", "Fail unless the server with these settings is ready; the health check of the container image", healthCheck),
		backupCommand(),
		restoreCommand(),
		setupLinkCommand(),
		resetPasswordCommand(),
		verifyEmailCommand(),
		command("env", "List the environment variables that the server reads", printVariables),
		openAPICommand(),
		command("version", "Print the version", func(cmd *cobra.Command) error {
			fmt.Fprintln(cmd.OutOrStdout(), "waftd", version.String())
			return nil
		}),
	)
	return root
}

func command(use, short string, run func(*cobra.Command) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd) },
	}
}

func serveCommand(use, short string, role app.Role) *cobra.Command {
	return command(use, short, func(cmd *cobra.Command) error {
		cfg, err := config.FromEnv()
		if err != nil {
			return err
		}
		log := newLogger(cfg, cmd.ErrOrStderr())
		limitMemory(log)
		log.Info("starting", "role", use, "version", version.String(), "settings", cfg)
		server, err := app.New(cmd.Context(), cfg, role, log)
		if err != nil {
			return err
		}
		return server.Run(cmd.Context())
	})
}

// memoryShare is the memory limit of the Go runtime as a part of the memory of the container or machine.
const memoryShare = 0.7

// limitMemory makes the garbage collector run more often near the limit, unless GOMEMLIMIT in the environment sets it.
func limitMemory(log *slog.Logger) {
	known := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithRatio(memoryShare), memlimit.WithProvider(known)); err != nil {
		log.Warn("memory is not limited; set GOMEMLIMIT", "error", err)
	}
}

func migrate(cmd *cobra.Command) error {
	cfg, err := config.MigrationFromEnv()
	if err != nil {
		return err
	}
	return app.Migrate(cmd.Context(), cfg, newLogger(cfg, cmd.ErrOrStderr()))
}

func printVariables(cmd *cobra.Command) error {
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
}

func openAPICommand() *cobra.Command {
	var format string
	cmd := command("openapi", "Print the OpenAPI document", func(cmd *cobra.Command) error {
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
	})
	cmd.Flags().StringVar(&format, "version", "3.1", "3.1, or 3.0 for generators that do not support 3.1")
	return cmd
}

func newLogger(cfg config.Config, w io.Writer) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.LogLevel)); err != nil {
		level = slog.LevelInfo // cannot happen: config accepts only levels
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
