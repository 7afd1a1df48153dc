package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/demo"
	"github.com/waft-ota/waft/models"
)

func demoCommand(s *settings) *cobra.Command {
	o := demo.Defaults()
	var exports string
	var fast bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a rollout that completes and one that is rolled back, on a running server",
		Long: "Publishes three releases to a channel and lets simulated devices use them: " + demo.Stable + " goes to everybody,\n" +
			demo.Next + " rolls out stage by stage by itself, " + demo.Broken + " crashes and is rolled back. What the devices were\n" +
			"served is compared with what should have happened; the exit code is 0 only if all of it did.",
		Args: args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			if fast {
				o.StageTime = fastStageTime
			}
			o.BaseURL, o.Project = s.url, s.project
			return playDemo(cmd.Context(), api, o, exports, terminal.New(cmd.OutOrStdout()))
		}),
	}
	f := cmd.Flags()
	f.StringVar(&exports, "exports", "", "folder with the exports "+demo.Stable+", "+demo.Next+" and "+demo.Broken+"; what is missing is made up")
	f.IntVar(&o.Devices, "devices", o.Devices, "size of the fleet, half iOS and half Android")
	f.Float64Var(&o.PerSecond, "rate", o.PerSecond, "launches per second")
	f.IntVar(&o.Workers, "workers", o.Workers, "how many devices are launched at the same time")
	f.Int64Var(&o.Seed, "seed", o.Seed, "which fleet")
	f.StringVar(&o.Channel, "channel", o.Channel, "channel to publish to")
	f.StringVar(&o.RuntimeVersion, "runtime-version", o.RuntimeVersion, "runtime version of the releases and of the devices")
	f.BoolVar(&fast, "fast", false, fmt.Sprintf("stages of %v instead of %v", fastStageTime, o.StageTime))
	f.Float64Var(&o.CrashPercent, "crash", o.CrashPercent, "percent of the devices on which the broken release crashes")
	f.DurationVar(&o.MaxRollback, "max-rollback", o.MaxRollback, "how soon after the first crash report the rollback must be served")
	f.BoolVar(&o.AllowRemote, "allow-remote", false, "let the fleet talk to a server on another machine")
	o.TemporalUI = os.Getenv("TEMPORAL_UI_URL")
	if namespace := os.Getenv("TEMPORAL_NAMESPACE"); namespace != "" {
		o.Namespace = namespace
	}
	return cmd
}

const fastStageTime = 3 * time.Second

// errDemoFailed is a demo in which something did not happen as it should.
var errDemoFailed = errors.New("not everything happened as it should")

func playDemo(ctx context.Context, api *client.Waft, o demo.Options, exports string, term *terminal.Terminal) error {
	scratch, err := os.MkdirTemp("", "waft-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }() // the system clears its temporary folder anyway
	if o.Cast, err = demo.FindCast(exports, scratch, o.RuntimeVersion); err != nil {
		return err
	}
	defer term.Close()
	for _, label := range []string{demo.Stable, demo.Next, demo.Broken} {
		if part := o.Cast[label]; part.Made {
			missing := "no Expo exports were given"
			if exports != "" {
				missing = "there is no Expo export in " + filepath.Join(exports, label)
			}
			term.Print(terminal.Faint.Render(missing + ": a made-up bundle takes the place of " + label))
		} else {
			term.Print(terminal.Faint.Render(label + " is the Expo export in " + part.Dir))
		}
	}
	result, err := demo.Play(ctx, o, demoServer{api}, &demoScreen{term: term})
	term.Close()
	if err != nil {
		return err
	}
	printResult(term, result)
	if !result.OK() {
		return errDemoFailed
	}
	return nil
}

// printResult is the summary at the end. What held was said when it was seen.
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
	verdict := terminal.Good.Render(fmt.Sprintf("✓ All %d expectations held.", held))
	if !r.OK() {
		verdict = terminal.Bad.Render(fmt.Sprintf("✗ %d of %d expectations held.", held, len(r.Checks)))
	}
	term.Print(verdict)
	if r.Reaction > 0 {
		term.Print(fmt.Sprintf("  From the first crash report to the rollback being served: %.1f s.", r.Reaction.Seconds()))
	}
	for _, link := range r.Links {
		term.Print(terminal.Faint.Render("  Temporal  ") + link)
	}
}

// demoServer gives the demo the management API.
type demoServer struct{ api *client.Waft }

// EnsurePolicy finds or makes the demo's policy.
func (d demoServer) EnsurePolicy(ctx context.Context, p models.NewRolloutPolicy) (int64, error) {
	return d.api.EnsurePolicy(ctx, p)
}

// Publish uploads and publishes an export.
func (d demoServer) Publish(ctx context.Context, p demo.Publication) ([]models.Release, error) {
	updates, err := d.api.Publish(ctx, client.Publication{
		Dir: p.Dir, Platforms: p.Platforms, Channel: p.Channel, Message: p.Message, PolicyID: p.PolicyID,
		Upload: client.Upload{RuntimeVersion: p.RuntimeVersion, Message: p.Message},
	})
	releases := make([]models.Release, len(updates))
	for i, u := range updates {
		releases[i] = u.Model()
	}
	return releases, err
}

// Watch follows an execution to its end.
func (d demoServer) Watch(ctx context.Context, id int64, each func(models.RolloutExecution)) error {
	return d.api.WatchRollout(ctx, id, func(e client.RolloutExecution) bool {
		model := e.Model()
		each(model)
		return model.Status.Open()
	})
}
