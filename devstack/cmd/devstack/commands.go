package main

import (
	"cmp"
	"context"
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
		up(&config), execute(&config),
		inFolder(&config, "wait", "Stay until interrupted, then stop everything", (*stack.Stack).Wait),
		onExisting(&config, "down", "Stop everything and keep the data", (*stack.Stack).Down),
		onExisting(&config, "reset", "Stop everything and delete the data", (*stack.Stack).Reset),
		onExisting(&config, "status", "Show what runs and where", (*stack.Stack).Status),
		serve(&config), run(&config),
		prepare(), servePostgres(), serveClickHouse(), serveTemporal(),
	)
	return cmd
}

// inFolder makes a command that runs with the stack of a data folder.
func inFolder(config *stack.Config, use, short string, run func(*stack.Stack, context.Context) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := stack.Open(*config)
			if err != nil {
				return err
			}
			return run(s, cmd.Context())
		},
	}
	cmd.Flags().StringVar(&config.Dir, "dir", cmp.Or(os.Getenv("WAFT_DEVSTACK_DIR"), ".waft"), "data folder")
	return cmd
}

func serve(config *stack.Config) *cobra.Command {
	cmd := inFolder(config, "serve", "Run everything as the program of a container, with the API on all of its addresses",
		func(s *stack.Stack, ctx context.Context) error {
			s.Durable, s.Contained = true, true
			return s.Serve(ctx)
		})
	cmd.Flags().StringVar(&config.Waftd, "waftd", "bin/waftd", "the server to run")
	return cmd
}

func run(config *stack.Config) *cobra.Command {
	cmd := inFolder(config, "run [flags] -- COMMAND [ARGUMENTS]", "Run a command with the keys and addresses of the API that runs", nil)
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.RunE = func(_ *cobra.Command, args []string) error { return stack.Run(*config, args) }
	cmd.Flags().SetInterspersed(false)
	return cmd
}

func up(config *stack.Config) *cobra.Command {
	cmd := inFolder(config, "up", "Start whatever is not running and return when everything is ready",
		func(s *stack.Stack, ctx context.Context) error {
			s.Durable = true
			return s.Up(ctx)
		})
	cmd.Flags().StringVar(&config.Waftd, "waftd", "bin/waftd", "the server to run")
	cmd.Flags().BoolVar(&config.EnginesOnly, "engines-only", false, "leave the server out")
	return cmd
}

// onExisting makes a command that does nothing when there is no data folder.
func onExisting(config *stack.Config, use, short string, run func(*stack.Stack) error) *cobra.Command {
	cmd := inFolder(config, use, short, func(s *stack.Stack, _ context.Context) error { return run(s) })
	open := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := os.Stat(config.Dir); os.IsNotExist(err) {
			fmt.Println("nothing is running in " + config.Dir)
			return nil
		}
		return open(cmd, args)
	}
	return cmd
}

func execute(config *stack.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "exec [flags] -- COMMAND [ARGUMENTS]",
		Short: "Run a command with fresh engines that vanish with it",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			config.Out = os.Stderr
			code, err := stack.Exec(cmd.Context(), *config, args)
			if err == nil && code != 0 {
				return exitCode(code)
			}
			return err
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().BoolVar(&config.Durable, "durable", false, "write as safely as 'up' does, for tests of that")
	return cmd
}
