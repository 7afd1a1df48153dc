package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/fleet"
)

// screenEvery is how often the panel of a simulation is drawn.
const screenEvery = 250 * time.Millisecond

// shownUpdates is how many of the running updates are shown by name.
const shownUpdates = 6

// simulateScreen shows what a fleet does.
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

// last shows the final numbers, for good.
func (s *simulateScreen) last(f fleet.Stats, now time.Time) {
	s.term.Panel(nil)
	average := float64(f.Launches) / max(now.Sub(s.began).Seconds(), 1e-3)
	for _, line := range s.table(f, now, average) {
		s.term.Print(line)
	}
}

func (s *simulateScreen) line(f fleet.Stats, rate float64) string {
	return fmt.Sprintf("%d launches, %.0f/s; %d updates, %d up to date, %d to embedded; %d crashes, %d errors; manifests p50 %s p99 %s; %d failures; running %s",
		f.Launches, rate, f.Updates, f.NoUpdates, f.Rollbacks, f.Crashes, f.JSErrors,
		millis(f.Manifest.P50), millis(f.Manifest.P99), f.FailureCount(), strings.Join(runningTexts(f), ", "))
}

func (s *simulateScreen) table(f fleet.Stats, now time.Time, rate float64) []string {
	rows := [][]string{
		{"devices", fmt.Sprintf("%d of %d started the app", f.Seen, f.Devices)},
		{"launches", fmt.Sprintf("%d in %v, %.0f a second", f.Launches, now.Sub(s.began).Round(100*time.Millisecond), rate)},
		{"checks", fmt.Sprintf("%d updates taken, %d up to date, %d back to embedded, %d offers refused", f.Updates, f.NoUpdates, f.Rollbacks, f.Refused)},
		{"health", fmt.Sprintf("%d reports, %d crashes, %d errors, %d starts that failed", f.Reports, f.Crashes, f.JSErrors, f.StartupCrashes)},
		{"assets", fmt.Sprintf("%d downloaded and verified (%.1f MB), %d asked for by HEAD, %d skipped", f.AssetDownloads, float64(f.AssetBytes)/1e6, f.AssetChecks, f.AssetSkips)},
		{"latency", fmt.Sprintf("manifest p50 %s p99 %s, report p50 %s p99 %s", millis(f.Manifest.P50), millis(f.Manifest.P99), millis(f.Report.P50), millis(f.Report.P99))},
		{"running", strings.Join(runningTexts(f), ", ")},
	}
	for _, kind := range slices.Sorted(maps.Keys(f.Failures)) {
		failure := f.Failures[kind]
		rows = append(rows, []string{terminal.Bad.Render("failed"), fmt.Sprintf("%d × %s", failure.Count, failureText(kind, failure.First))})
	}
	for i := range rows {
		rows[i][0] = terminal.Faint.Render(rows[i][0])
	}
	return terminal.Columns(rows)
}

// failureText is a kind of failure and what the first one said, which may begin with
// the end of the kind: "manifest: status 404" and "status 404: …".
func failureText(kind, first string) string {
	if what, name, ok := strings.Cut(kind, ": "); ok && strings.HasPrefix(first, name+": ") {
		return what + ": " + first
	}
	return kind + ": " + first
}

// runningTexts say which updates run on how many devices.
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
		return u.UpdateID[:8]
	default:
		return fmt.Sprintf("%q (%s)", u.Message, u.UpdateID[:8])
	}
}
