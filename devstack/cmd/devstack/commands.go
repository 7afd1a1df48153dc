package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/devstack/internal/stack"
)

func root() *cobra.Command {
	var config stack.Config
	cmd := &cobra.Command{
		Use:           "devstack",
		Short:         "Run Postgres, ClickHouse, Temporal and Waft on this machine, without containers",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			self, err := os.Executable()
			config.Self, config.Out = self, os.Stdout
			return err
		},
	}
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.AddCommand(
		up(&config), wait(&config), down(&config), reset(&config), status(&config), execute(&config),
		servePostgres(), serveClickHouse(), serveTemporal(),
	)
	return cmd
}

// inFolder gives a command the flag that names the data folder.
func inFolder(cmd *cobra.Command, config *stack.Config) *cobra.Command {
	cmd.Args = cobra.NoArgs
	cmd.Flags().StringVar(&config.Dir, "dir", ".waft", "data folder")
	return cmd
}

func up(config *stack.Config) *cobra.Command {
	cmd := inFolder(&cobra.Command{
		Use:   "up",
		Short: "Start whatever is not running and return when all of it answers",
		RunE: func(cmd *cobra.Command, _ []string) error {
			config.Durable = true
			s, err := stack.Open(*config)
			if err != nil {
				return err
			}
			return s.Up(cmd.Context())
		},
	}, config)
	cmd.Flags().StringVar(&config.Waftd, "waftd", "bin/waftd", "the server to run")
	cmd.Flags().BoolVar(&config.EnginesOnly, "engines-only", false, "leave the server out")
	return cmd
}

func wait(config *stack.Config) *cobra.Command {
	return inFolder(&cobra.Command{
		Use:   "wait",
		Short: "Stay until interrupted, then stop everything",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := stack.Open(*config)
			if err != nil {
				return err
			}
			return s.Wait(cmd.Context())
		},
	}, config)
}

func down(config *stack.Config) *cobra.Command {
	return onExisting(config, "down", "Stop everything and keep the data", (*stack.Stack).Down)
}

func reset(config *stack.Config) *cobra.Command {
	return onExisting(config, "reset", "Stop everything and delete the data", (*stack.Stack).Reset)
}

func status(config *stack.Config) *cobra.Command {
	return onExisting(config, "status", "Show what runs and where", (*stack.Stack).Status)
}

// onExisting builds a command that makes no data folder where there is none.
func onExisting(config *stack.Config, name, short string, run func(*stack.Stack) error) *cobra.Command {
	return inFolder(&cobra.Command{
		Use:   name,
		Short: short,
		RunE: func(*cobra.Command, []string) error {
			if _, err := os.Stat(config.Dir); os.IsNotExist(err) {
				fmt.Println("nothing runs in " + config.Dir)
				return nil
			}
			s, err := stack.Open(*config)
			if err != nil {
				return err
			}
			return run(s)
		},
	}, config)
}

func execute(config *stack.Config) *cobra.Command {
	var keepLogs bool
	cmd := &cobra.Command{
		Use:   "exec [flags] -- COMMAND [ARGUMENTS]",
		Short: "Run a command with fresh engines that vanish with it",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			config.Out = os.Stderr
			code, err := stack.Exec(cmd.Context(), *config, keepLogs, args)
			if err == nil && code != 0 {
				return exitCode(code)
			}
			return err
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().BoolVar(&keepLogs, "keep-logs", false, "keep the engines' logs")
	cmd.Flags().BoolVar(&config.Durable, "durable", false, "write as safely as 'up' does, for tests of that")
	return cmd
}
