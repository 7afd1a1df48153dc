package observe

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

var periods = []string{"1h", "6h", "24h", "7d", "14d", "30d", "90d"}

// Activity returns the command that shows launches, errors and crashes over time.
func Activity(s *command.Settings) *cobra.Command {
	var period, channel, platform, runtime, release string
	cmd := s.Calling("activity", "Show devices, launches, errors and crashes over time", func(c command.Call) error {
		if !slices.Contains(periods, period) {
			return command.Usagef("--period must be %s, not %q", command.Choice(periods), period)
		}
		if platform != "" && !slices.Contains(platforms, platform) {
			return command.Usagef("--platform must be %s, not %q", command.Choice(platforms), platform)
		}
		params := client.GetTimeseriesParams{
			Period: new(client.GetTimeseriesParamsPeriod(period)), Channel: command.Optional(channel), RuntimeVersion: command.Optional(runtime),
		}
		if platform != "" {
			params.Platform = new(client.GetTimeseriesParamsPlatform(platform))
		}
		if release != "" {
			text, err := command.UpdateOf(c, release)
			if err != nil {
				return err
			}
			id, err := uuid.Parse(text)
			if err != nil {
				return err
			}
			params.UpdateUUID = &id
		}
		lines := func(t client.Timeseries) []string { return activityLines(c.OutOrStdout(), t) }
		return command.Tell(c, lines).Found(c.API.GetTimeseriesWithResponse(c.Context(), &params))
	})
	cmd.Example = "  waft activity --period 6h --channel production\n  waft activity --release 29"
	f := cmd.Flags()
	f.StringVar(&period, "period", "24h", "length of the period: "+command.Choice(periods))
	f.StringVar(&channel, "channel", "", "show only devices of this channel")
	f.StringVar(&platform, "platform", "", "show only devices of this platform: ios, android or web")
	f.StringVar(&runtime, "runtime-version", "", "show only devices with this runtime version")
	f.StringVar(&release, "release", "", "show only devices that run this release, by its ID or update ID")
	return cmd
}

func activityLines(out io.Writer, t client.Timeseries) []string {
	total := t.Total
	lines := []string{fmt.Sprintf("%s in %s: %s, %s, %s; errors on %s and crashes on %s of devices",
		count.Of(total.Devices, "device"), t.Period, count.Of(total.Launches, "launch"), count.Of(total.Errors, "error"),
		count.Of(total.Crashes, "crash"), rate(total.ErrorRate), rate(total.CrashRate))}
	if !t.Exact {
		lines = append(lines, "the counts are estimates")
	}
	top := int64(1)
	for _, p := range t.Points {
		top = max(top, p.Devices)
	}
	table := command.Table(out, "no device has reported",
		[]string{"BEGINS", "DEVICES", "", "LAUNCHES", "ERRORS", "CRASHES", "ERROR RATE", "CRASH RATE"},
		func(p client.TimeseriesPoint) []string {
			return []string{
				p.Time.UTC().Format(command.Stamp), strconv.FormatInt(p.Devices, 10), bar(100 * float64(p.Devices) / float64(top)),
				strconv.FormatInt(p.Launches, 10), strconv.FormatInt(p.Errors, 10), strconv.FormatInt(p.Crashes, 10),
				fmt.Sprintf("%.2f%%", p.ErrorRate), fmt.Sprintf("%.2f%%", p.CrashRate),
			}
		})
	return append(lines, table(t.Points)...)
}

// rate returns a percentage, or a dash if it is unknown.
func rate(percentage *float64) string {
	if percentage == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f%%", *percentage)
}
