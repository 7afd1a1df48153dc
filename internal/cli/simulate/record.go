package simulate

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/lab/demo"
	"github.com/waft-ota/waft/internal/lab/fleet"
)

// progressTo returns where a command shows its progress. With --json the standard output contains only the record.
func progressTo(cmd *cobra.Command, s *command.Settings) io.Writer {
	if s.JSON {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}

// fleetRecord is the JSON of a fleet's statistics.
type fleetRecord struct {
	Devices        int     `json:"devices"`
	StartedDevices int64   `json:"startedDevices"`
	Launches       int64   `json:"launches"`
	Seconds        float64 `json:"seconds"`
	// Updates, NoUpdates, BackToEmbedded and RefusedOffers count update checks by outcome.
	Updates        int64           `json:"updates"`
	NoUpdates      int64           `json:"noUpdates"`
	BackToEmbedded int64           `json:"backToEmbedded"`
	RefusedOffers  int64           `json:"refusedOffers"`
	Reports        int64           `json:"reports"`
	Crashes        int64           `json:"crashes"`
	Errors         int64           `json:"errors"`
	FailedLaunches int64           `json:"failedLaunches"`
	Assets         assetRecord     `json:"assets"`
	Manifest       latencyRecord   `json:"manifest"`
	Report         latencyRecord   `json:"report"`
	Running        []runningRecord `json:"running"`
	Failures       []failureRecord `json:"failures"`
}

type assetRecord struct {
	Downloads int64 `json:"downloads"`
	Bytes     int64 `json:"bytes"`
	Checks    int64 `json:"checks"`
	Skips     int64 `json:"skips"`
}

// latencyRecord has the latencies of one kind of request, in milliseconds.
type latencyRecord struct {
	Requests        int64   `json:"requests"`
	P50Milliseconds float64 `json:"p50Milliseconds"`
	P99Milliseconds float64 `json:"p99Milliseconds"`
}

// runningRecord is the number of devices that run an update. updateUuid is null for the embedded update.
type runningRecord struct {
	UpdateUUID *string `json:"updateUuid"`
	Message    string  `json:"releaseMessage"`
	Devices    int     `json:"devices"`
}

type failureRecord struct {
	Kind  string `json:"kind"`
	Count int64  `json:"count"`
	First string `json:"first"`
}

func fleetRecordOf(f fleet.Stats, took time.Duration) fleetRecord {
	r := fleetRecord{
		Devices: f.Devices, StartedDevices: f.Seen, Launches: f.Launches, Seconds: took.Seconds(),
		Updates: f.Updates, NoUpdates: f.NoUpdates, BackToEmbedded: f.Rollbacks, RefusedOffers: f.Refused,
		Reports: f.Reports, Crashes: f.Crashes, Errors: f.JSErrors, FailedLaunches: f.StartupCrashes,
		Assets:   assetRecord{Downloads: f.AssetDownloads, Bytes: f.AssetBytes, Checks: f.AssetChecks, Skips: f.AssetSkips},
		Manifest: latencyRecordOf(f.Manifest), Report: latencyRecordOf(f.Report),
		Running: []runningRecord{}, Failures: []failureRecord{},
	}
	for _, on := range f.Running {
		r.Running = append(r.Running, runningRecord{command.Optional(on.Update.UpdateID), on.Update.Message, on.Devices})
	}
	for _, kind := range sortedKinds(f) {
		r.Failures = append(r.Failures, failureRecord{kind, f.Failures[kind].Count, f.Failures[kind].First})
	}
	return r
}

func latencyRecordOf(l fleet.Latency) latencyRecord {
	return latencyRecord{l.Count, float64(l.P50) / float64(time.Millisecond), float64(l.P99) / float64(time.Millisecond)}
}

// demoRecord is the JSON of a demo's result.
type demoRecord struct {
	Expectations []expectationRecord `json:"expectations"`
	// ReactionSeconds is the time from the first crash report until devices got the rollback; null if they did not.
	ReactionSeconds *float64 `json:"reactionSeconds"`
	// WorkflowLinks are the pages of the rollouts' workflows in Temporal's web UI, oldest first.
	WorkflowLinks []string `json:"workflowLinks"`
}

type expectationRecord struct {
	Expectation string `json:"expectation"`
	Met         bool   `json:"met"`
	Seen        string `json:"seen"`
}

func demoRecordOf(result demo.Result) demoRecord {
	r := demoRecord{Expectations: []expectationRecord{}, WorkflowLinks: append([]string{}, result.Links...)}
	for _, c := range result.Checks {
		r.Expectations = append(r.Expectations, expectationRecord{c.Claim, c.OK, c.Seen})
	}
	if result.Reaction > 0 {
		r.ReactionSeconds = new(result.Reaction.Seconds())
	}
	return r
}
