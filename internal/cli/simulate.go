package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/fleet"
)

// simulateOptions are the flags of `waft simulate`.
type simulateOptions struct {
	fleet  fleet.Options
	load   fleet.Load
	rest   string
	crash  []string
	errors []string
	dead   []string
}

func simulateCommand(s *settings) *cobra.Command {
	var o simulateOptions
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Simulate devices on a channel",
		Long: "Simulated devices behave like apps with the stock expo-updates client: they ask for manifests,\n" +
			"download and verify assets, run what the client would run, and report their health. The same --seed\n" +
			"is the same fleet. Needs no key. Only the first devices of the fleet download each asset in full;\n" +
			"--assets says what the others do.",
		Example: "  waft simulate --devices 3000 --duration 2m --crash 'broken=20%'",
		Args:    args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.needProject(); err != nil {
				return err
			}
			o.fleet.BaseURL, o.fleet.ProjectSlug = s.url, s.project
			return simulate(cmd.Context(), o, terminal.New(cmd.OutOrStdout()))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.fleet.Channel, "channel", "production", "channel that the devices ask")
	f.StringVar(&o.fleet.RuntimeVersion, "runtime-version", "1.0.0", "runtime version of every device's binary")
	f.IntVar(&o.fleet.Devices, "devices", 1000, "size of the fleet")
	f.Float64Var(&o.fleet.IOSPercent, "ios", 50, "percent of the devices that run iOS, the rest runs Android")
	f.Int64Var(&o.fleet.Seed, "seed", 1, "which fleet: ids of the devices and what crashes on which")
	f.BoolVar(&o.fleet.WaitForUpdate, "wait-for-update", false, "a start waits for the update that it finds and runs it, as with fallbackToCacheTimeout")
	f.IntVar(&o.fleet.Assets.FullDownloads, "full-downloads", 3, "how many devices download each asset in full")
	f.BoolVar(&o.fleet.Patches, "patches", false, "devices that download a bundle ask for a binary patch")
	f.StringVar(&o.rest, "assets", string(fleet.AssetHead), "what the other devices do with an asset: head, skip or full")
	f.BoolVar(&o.fleet.AllowRemote, "allow-remote", false, "let the fleet talk to a server on another machine")
	f.Float64Var(&o.load.PerSecond, "rate", 500, "launches per second; 0 is as many as the workers manage")
	f.IntVar(&o.load.Workers, "workers", 32, "how many devices are launched at the same time")
	f.Int64Var(&o.load.Launches, "launches", 0, "stop after so many launches; 0 is no limit")
	f.DurationVar(&o.load.Duration, "duration", time.Minute, "stop after that time; 0 is no limit")
	f.StringArrayVar(&o.crash, "crash", nil, "release=percent: share of devices on which the release crashes; the release is its message, update UUID, bundle MD5, embedded or *; may be repeated")
	f.StringArrayVar(&o.errors, "js-error", nil, "release=percent: share of devices on which the release meets an error that the app survives")
	f.StringArrayVar(&o.dead, "startup-crash", nil, "release=percent: share of devices on which the release ends before its first screen")
	return cmd
}

// rules reads the three kinds of release=percent.
func (o simulateOptions) rules() ([]fleet.Rule, error) {
	var rules []fleet.Rule
	for _, kind := range []struct {
		effect fleet.Effect
		flag   string
		texts  []string
	}{
		{fleet.Crash, "--crash", o.crash}, {fleet.JSError, "--js-error", o.errors}, {fleet.StartupCrash, "--startup-crash", o.dead},
	} {
		for _, text := range kind.texts {
			rule, err := fleet.ParseRule(kind.effect, text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kind.flag, err)
			}
			rules = append(rules, rule)
		}
	}
	return rules, nil
}

// simulate runs the fleet and shows its numbers until it ends.
func simulate(ctx context.Context, o simulateOptions, term *terminal.Terminal) error {
	rules, err := o.rules()
	if err != nil {
		return err
	}
	o.fleet.Assets.Rest = fleet.AssetRest(o.rest)
	o.fleet.Connections = o.load.Workers
	f, err := fleet.New(o.fleet)
	if err != nil {
		return err
	}
	defer f.Close()
	defer term.Close()
	f.SetRules(rules...)
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx, o.load) }()
	screen := simulateScreen{term: term, began: time.Now()}
	tick := time.NewTicker(screenEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			stats := f.Stats()
			screen.last(stats, time.Now())
			if err == nil && stats.FailureCount() > 0 && stats.Updates+stats.NoUpdates+stats.Rollbacks+stats.Refused == 0 {
				return errors.New("no manifest request was answered; the failures are listed above")
			}
			return err
		case now := <-tick.C:
			screen.show(f.Stats(), now)
		}
	}
}
