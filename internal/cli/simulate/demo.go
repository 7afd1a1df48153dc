package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/lab/demo"
)

// Demo returns the command that plays a rollout that completes and a rollout that is rolled back.
func Demo(s *command.Settings) *cobra.Command {
	o := demo.Defaults()
	var exports string
	var fast bool
	cmd := s.Calling("demo", "Play two rollouts on a running server: the first completes, the second is rolled back",
		func(c command.Call) error {
			if fast {
				hurry(&o, c.Flags().Changed)
			}
			o.BaseURL, o.Project = s.URL, s.Project
			result, err := playDemo(c.Context(), c.API, o, exports, terminal.New(progressTo(c.Command, s)))
			if err != nil {
				return err
			}
			if s.JSON {
				if err := command.PrintRecord(c.OutOrStdout(), demoRecordOf(result)); err != nil {
					return err
				}
			}
			if !result.OK() {
				return errDemoFailed
			}
			return nil
		})
	cmd.Long = "Publishes three releases to a channel of simulated devices: " + demo.Stable + " goes to every device,\n" +
		demo.Next + " rolls out stage by stage, " + demo.Broken + " crashes and is rolled back. The demo\n" +
		"compares the releases that devices get with its expectations. The exit code is 0 only if all were met."
	f := cmd.Flags()
	f.StringVar(&exports, "exports", "", "folder with the exports "+demo.Stable+", "+demo.Next+" and "+demo.Broken+
		"; the demo generates missing exports")
	f.IntVar(&o.Devices, "devices", o.Devices, "number of devices, half iOS and half Android")
	f.Float64Var(&o.PerSecond, "rate", o.PerSecond, "launches per second")
	f.IntVar(&o.Workers, "workers", o.Workers, "number of devices that launch at the same time")
	f.Int64Var(&o.Seed, "seed", o.Seed, "seed for the device IDs and for the choice of devices that crash")
	f.StringVar(&o.Channel, "channel", o.Channel, "channel to publish to")
	f.StringVar(&o.RuntimeVersion, "runtime-version", o.RuntimeVersion, "runtime version of the releases and of the devices")
	quick := demo.Fast()
	f.BoolVar(&fast, "fast", false, fmt.Sprintf("use stages of %v instead of %v, and the default values "+
		"--devices %d, --rate %v and --crash %v", quick.StageTime, o.StageTime, quick.Devices, quick.PerSecond, quick.CrashPercent))
	f.Float64Var(&o.CrashPercent, "crash", o.CrashPercent, "percentage of devices on which the broken release crashes")
	f.DurationVar(&o.MaxRollback, "max-rollback", o.MaxRollback, "maximum time from the first crash report until devices get the rollback")
	f.DurationVar(&o.Patience, "patience", o.Patience, "maximum wait for each expectation, and for each request of a device")
	f.BoolVar(&o.AllowRemote, "allow-remote", false, "allow a server on another machine")
	o.TemporalUI = os.Getenv("WAFT_TEMPORAL_UI_URL")
	o.Namespace = cmp.Or(os.Getenv("TEMPORAL_NAMESPACE"), o.Namespace)
	return cmd
}

// hurry sets the options of a fast demo, except where the user has given a flag. changed reports whether the flag with a name was given.
func hurry(o *demo.Options, changed func(flag string) bool) {
	quick := demo.Fast()
	o.StageTime = quick.StageTime
	if !changed("devices") {
		o.Devices = quick.Devices
	}
	if !changed("rate") {
		o.PerSecond = quick.PerSecond
	}
	if !changed("crash") {
		o.CrashPercent = quick.CrashPercent
	}
}

// errDemoFailed is the error of a demo in which an expectation was not met.
var errDemoFailed = errors.New("not all expectations were met")

// playDemo plays the demo and shows its course.
func playDemo(
	ctx context.Context, api *client.Waft, o demo.Options, exports string, term *terminal.Terminal,
) (result demo.Result, err error) {
	scratch, err := os.MkdirTemp("", "waft-demo-")
	if err != nil {
		return result, err
	}
	defer func() { _ = os.RemoveAll(scratch) }() // the operating system cleans the temporary folder too
	if o.Cast, err = demo.FindCast(exports, scratch, o.RuntimeVersion); err != nil {
		return result, err
	}
	defer term.Close()
	for _, label := range []string{demo.Stable, demo.Next, demo.Broken} {
		if part := o.Cast[label]; part.Made {
			missing := "no Expo exports were given"
			if exports != "" {
				missing = filepath.Join(exports, label) + " does not contain an Expo export"
			}
			term.Print(terminal.Faint.Render(missing + ": the demo generates a bundle for " + label))
		} else {
			term.Print(terminal.Faint.Render(label + " is the Expo export in " + part.Dir))
		}
	}
	result, err = demo.Play(ctx, o, api, &demoScreen{term: term})
	term.Close()
	if err == nil {
		printResult(term, result)
	}
	return result, err
}

// printResult prints the summary at the end. It omits the expectations that were met, because the output already has
// them.
func printResult(term *terminal.Terminal, r demo.Result) {
	term.Print("")
	held := 0
	for _, c := range r.Checks {
		if c.OK {
			held++
			continue
		}
		term.Print(terminal.Bad.Render(fmt.Sprintf("✗ %s: %s", c.Claim, c.Seen)))
	}
	verdict := terminal.Good.Render(fmt.Sprintf("✓ All %d expectations were met.", held))
	if !r.OK() {
		verdict = terminal.Bad.Render(fmt.Sprintf("✗ %d of %d expectations were met.", held, len(r.Checks)))
	}
	term.Print(verdict)
	if r.Reaction > 0 {
		term.Print(fmt.Sprintf("  Time from the first crash report until devices got the rollback: %.1f s.", r.Reaction.Seconds()))
	}
	for _, link := range r.Links {
		term.Print(terminal.Faint.Render("  Temporal  ") + link)
	}
}
