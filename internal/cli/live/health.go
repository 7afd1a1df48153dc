package live

import (
	"fmt"
	"math"

	"charm.land/lipgloss/v2"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// healthRows returns the devices, each rate against its limit, and the evidence.
func healthRows(e models.RolloutExecution, h *client.Health, width int) []row {
	if e.Health == nil {
		return []row{{label("Devices", width) + "none has reported the release yet", 1}}
	}
	devices := count.Of(e.Health.Devices, "device") + " reported the release"
	if e.Health.Devices == 0 {
		devices = "none has reported the release yet"
	}
	if h.IgnoredDevices > 0 {
		devices += fmt.Sprintf("; %d more do not count", h.IgnoredDevices)
	}
	rows := []row{{label("Devices", width) + devices, 1}}
	limits := limitsOf(e)
	rows = append(rows,
		rateRow("Crashes", e.Health.CrashRate, limits.CrashRate, e.Health.CrashedDevices, e.Health.Devices, width),
		rateRow("Errors", e.Health.ErrorRate, limits.ErrorRate, e.Health.ErroredDevices, e.Health.Devices, width))
	for _, limit := range limits.Events {
		rows = append(rows, eventRow(limit, e.Health.Event(limit), width))
	}
	return append(rows, evidenceRow(e, limits, width))
}

// limitsOf returns the limits of the present stage.
func limitsOf(e models.RolloutExecution) models.Thresholds {
	if e.StageIndex < len(e.Stages) {
		return rollout.EffectiveThresholds(e.Stages[e.StageIndex], e.Thresholds)
	}
	return e.Thresholds
}

func rateRow(name string, rate float64, limit *float64, affected, devices int64, width int) row {
	counts := fmt.Sprintf(" (%d of %d)", affected, devices)
	switch {
	case devices == 0:
		return row{label(name, width) + bar(0, terminal.Faint, width) + "unknown" + limitText(limit), 2}
	case limit == nil:
		return row{label(name, width) + bar(0, terminal.Faint, width) + fmt.Sprintf("%.2f%%, without a limit", rate) + counts, 2}
	}
	part := 1.0
	if *limit > 0 {
		part = rate / *limit
	} else if rate == 0 {
		part = 0
	}
	style := load(part)
	return row{label(name, width) + bar(part, style, width) + style.Render(fmt.Sprintf("%.2f%%", rate)) + limitText(limit) + counts, 2}
}

func limitText(limit *float64) string {
	if limit == nil {
		return ", without a limit"
	}
	return fmt.Sprintf(" of at most %v%%", *limit)
}

// load returns the style for a rate that uses a part of what its limit allows.
func load(part float64) lipgloss.Style {
	switch {
	case part > 1:
		return terminal.Bad
	case part > 0.75:
		return terminal.Warn
	}
	return terminal.Good
}

func eventRow(limit models.EventLimit, h models.EventHealth, width int) row {
	name := command.OneLine(terminal.Plain(limit.Name), 30)
	if h.Devices == 0 {
		return row{label("Event", width) + bar(0, terminal.Faint, width) + name + ": unknown", 4}
	}
	rate, side := h.Rate(), "at most"
	part := rate / math.Max(limit.Rate, math.SmallestNonzeroFloat64)
	if limit.Direction == models.EventBelow {
		side, part = "at least", limit.Rate/math.Max(rate, math.SmallestNonzeroFloat64)
	}
	style := load(part)
	return row{label("Event", width) + bar(part, style, width) + name + ": " + style.Render(fmt.Sprintf("%.2f%%", rate)) +
		fmt.Sprintf(" of %s %v%% (%d of %d)", side, limit.Rate, h.ReportedDevices, h.Devices), 4}
}

// evidenceRow describes the evidence that a limit is exceeded, in words.
func evidenceRow(e models.RolloutExecution, limits models.Thresholds, width int) row {
	head := label("Evidence", width)
	if limits.Method == models.MethodPoint && limits.Baseline != models.BaselineControl {
		return row{head + bar(0, terminal.Faint, width) + "not used: the policy compares measured rates", 3}
	}
	if e.Health.Devices == 0 {
		return row{head + bar(0, terminal.Faint, width) + "none yet", 2}
	}
	v, part := e.Health.Evidence, 0.0
	if v > 1 {
		part = math.Log(v) / math.Log(rollout.DecisiveEvidence)
	}
	style := load(part)
	if v >= rollout.DecisiveEvidence {
		style = terminal.Bad
	}
	return row{head + bar(part, style, width) + style.Render(command.EvidenceText(v)) +
		fmt.Sprintf(" of %v: ", rollout.DecisiveEvidence) + evidenceWords(v), 2}
}

func evidenceWords(v float64) string {
	switch {
	case v >= rollout.DecisiveEvidence:
		return "a limit is exceeded"
	case v >= rollout.DecisiveEvidence/4:
		return "clear signs that a limit is exceeded"
	case v > 1:
		return "weak signs that a limit is exceeded"
	}
	return "no sign of a problem"
}
