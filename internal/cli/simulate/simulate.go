// Package simulate contains the commands of waft that run simulated devices: simulate, demo and demo-project.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/lab/fleet"
)

type simulateOptions struct {
	fleet  fleet.Options
	load   fleet.Load
	crash  []string
	errors []string
	dead   []string
}

// Simulate returns the command that runs a fleet of devices.
func Simulate(s *command.Settings) *cobra.Command {
	var o simulateOptions
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Simulate devices on a channel",
		Long: "Simulated devices behave like apps with the stock expo-updates client: they request manifests,\n" +
			"download and verify assets, run what the client would run, and report their health. The same --seed\n" +
			"creates the same devices. An API key is not required. Only the first devices download an asset completely;\n" +
			"--assets sets what the other devices do.",
		Example: "  waft simulate --devices 3000 --duration 2m --crash 'broken=20%'",
		Args:    command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.NeedProject(cmd.Context()); err != nil {
				return err
			}
			o.fleet.BaseURL, o.fleet.ProjectSlug = s.URL, s.Project
			began := time.Now()
			stats, err := simulate(cmd.Context(), o, terminal.New(progressTo(cmd, s)))
			if err != nil || !s.JSON {
				return err
			}
			return command.PrintRecord(cmd.OutOrStdout(), fleetRecordOf(stats, time.Since(began)))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.fleet.Channel, "channel", "production", "channel of the devices")
	f.StringVar(&o.fleet.RuntimeVersion, "runtime-version", "1.0.0", "runtime version of every device's binary")
	f.IntVar(&o.fleet.Devices, "devices", 1000, "number of devices")
	f.Float64Var(&o.fleet.IOSPercent, "ios", 50, "percentage of devices that run iOS; the rest run Android")
	f.Int64Var(&o.fleet.Seed, "seed", 1, "seed for the device IDs and for the choice of devices that crash")
	f.BoolVar(&o.fleet.WaitForUpdate, "wait-for-update", false, "a launch waits for a new update and runs it, as with fallbackToCacheTimeout")
	f.IntVar(&o.fleet.Assets.FullDownloads, "full-downloads", 3, "number of devices that download each asset completely")
	f.BoolVar(&o.fleet.Patches, "patches", false, "devices request bundles as binary patches")
	f.StringVar((*string)(&o.fleet.Assets.Rest), "assets", string(fleet.AssetHead),
		"how the other devices handle an asset: head (HEAD request), skip or full (download)")
	f.BoolVar(&o.fleet.AllowRemote, "allow-remote", false, "allow a server on another machine")
	f.Float64Var(&o.load.PerSecond, "rate", 500, "launches per second; 0 means as many as possible")
	f.IntVar(&o.load.Workers, "workers", 32, "number of devices that launch at the same time")
	f.Int64Var(&o.load.Launches, "launches", 0, "stop after this number of launches; 0 disables the limit")
	f.DurationVar(&o.load.Duration, "duration", time.Minute, "stop after this time; 0 disables the limit")
	f.StringArrayVar(&o.crash, "crash", nil, "release=percent: percentage of devices on which the release crashes; identify "+
		"the release by its release notes, update ID, bundle MD5, embedded or *; can be repeated")
	f.StringArrayVar(&o.errors, "js-error", nil, "release=percent: percentage of devices on which the release reports a JavaScript error")
	f.StringArrayVar(&o.dead, "startup-crash", nil, "release=percent: percentage of devices on which the app crashes before its first screen")
	return cmd
}

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
				return nil, command.Usagef("%s: %w", kind.flag, err)
			}
			rules = append(rules, rule)
		}
	}
	return rules, nil
}

// simulate runs the fleet, shows its statistics until the run ends, and returns the last statistics.
func simulate(ctx context.Context, o simulateOptions, term *terminal.Terminal) (stats fleet.Stats, err error) {
	rules, err := o.rules()
	if err != nil {
		return stats, err
	}
	o.fleet.Connections = o.load.Workers
	f, err := fleet.New(o.fleet)
	if err != nil {
		return stats, err
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
			stats = f.Stats()
			screen.last(stats, time.Now())
			if err == nil && stats.FailureCount() > 0 && stats.Updates+stats.NoUpdates+stats.Rollbacks+stats.Refused == 0 {
				err = errors.New("no manifest request succeeded; the failures are listed above")
			}
			return stats, err
		case now := <-tick.C:
			screen.show(f.Stats(), now)
		}
	}
}

const screenEvery = 250 * time.Millisecond

const shownUpdates = 6

type simulateScreen struct {
	term  *terminal.Terminal
	began time.Time
	wrote time.Time
	rate  fleet.RateMeter
}

func (s *simulateScreen) show(f fleet.Stats, now time.Time) {
	rate := s.rate.Update(f.Launches, now)
	if s.term.Live() {
		s.term.Panel(append([]string{""}, s.table(f, now, rate)...))
		return
	}
	if now.Sub(s.wrote) >= plainEvery {
		s.wrote = now
		s.term.Print(s.line(f, rate))
	}
}

// last prints the final statistics.
func (s *simulateScreen) last(f fleet.Stats, now time.Time) {
	s.term.Panel(nil)
	average := float64(f.Launches) / max(now.Sub(s.began).Seconds(), 1e-3)
	for _, line := range s.table(f, now, average) {
		s.term.Print(line)
	}
}

func (s *simulateScreen) line(f fleet.Stats, rate float64) string {
	return fmt.Sprintf("%s, %.0f/s; %s, %d up to date, %d to embedded; %s, %s; manifests p50 %s p99 %s; %s; running %s",
		count.Of(f.Launches, "launch"), rate, count.Of(f.Updates, "update"), f.NoUpdates, f.Rollbacks, count.Of(f.Crashes, "crash"),
		count.Of(f.JSErrors, "error"), millis(f.Manifest.P50), millis(f.Manifest.P99), count.Of(f.FailureCount(), "failure"),
		strings.Join(runningTexts(f), ", "))
}

func (s *simulateScreen) table(f fleet.Stats, now time.Time, rate float64) []string {
	rows := [][]string{
		{"devices", fmt.Sprintf("%d of %d started the app", f.Seen, f.Devices)},
		{"launches", fmt.Sprintf("%d in %v, %.0f per second", f.Launches, now.Sub(s.began).Round(100*time.Millisecond), rate)},
		{"checks", fmt.Sprintf("%s accepted, %d up to date, %d back to the embedded update, %s refused",
			count.Of(f.Updates, "update"), f.NoUpdates, f.Rollbacks, count.Of(f.Refused, "offer"))},
		{"health", fmt.Sprintf("%s, %s, %s, %s", count.Of(f.Reports, "report"), count.Of(f.Crashes, "crash"), count.Of(f.JSErrors, "error"),
			count.Of(f.StartupCrashes, "failed launch"))},
		{"assets", fmt.Sprintf("%d downloaded and verified (%.1f MB), %d checked with HEAD, %d skipped", f.AssetDownloads, float64(f.AssetBytes)/1e6, f.AssetChecks, f.AssetSkips)},
		{"latency", fmt.Sprintf("manifest p50 %s p99 %s, report p50 %s p99 %s", millis(f.Manifest.P50), millis(f.Manifest.P99), millis(f.Report.P50), millis(f.Report.P99))},
		{"running", strings.Join(runningTexts(f), ", ")},
	}
	for _, kind := range sortedKinds(f) {
		failure := f.Failures[kind]
		rows = append(rows, []string{terminal.Bad.Render("failed"), fmt.Sprintf("%d × %s", failure.Count, failureText(kind, failure.First))})
	}
	for i := range rows {
		rows[i][0] = terminal.Faint.Render(rows[i][0])
	}
	return terminal.Columns(rows)
}

func sortedKinds(f fleet.Stats) []string { return slices.Sorted(maps.Keys(f.Failures)) }

// failureText returns a kind of failure with its first error. It omits the part of the kind that the error repeats:
// "manifest: status 404" and "status 404: …" become "manifest: status 404: …".
func failureText(kind, first string) string {
	kind, first = terminal.Plain(kind), terminal.Plain(first)
	if what, name, ok := strings.Cut(kind, ": "); ok && strings.HasPrefix(first, name+": ") {
		return what + ": " + first
	}
	return kind + ": " + first
}

func runningTexts(f fleet.Stats) []string {
	var texts []string
	others := 0
	for i, r := range f.Running {
		if i >= shownUpdates {
			others += r.Devices
			continue
		}
		texts = append(texts, fmt.Sprintf("%s on %d", updateName(r.Update), r.Devices))
	}
	if others > 0 {
		texts = append(texts, fmt.Sprintf("others on %d", others))
	}
	return texts
}

func updateName(u fleet.Ref) string {
	switch {
	case u.UpdateID == "":
		return "embedded"
	case u.Message == "":
		return terminal.Plain(u.UpdateID[:8])
	default:
		return fmt.Sprintf("%q (%s)", u.Message, terminal.Plain(u.UpdateID[:8]))
	}
}
