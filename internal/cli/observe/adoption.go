package observe

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

var adoptionDays = []string{"7", "14", "30", "90"}

// slice is the part of the devices that --channel, --platform and --runtime-version select.
type slice struct{ channel, platform, runtime string }

func (s slice) has(d client.UpdateDevices) bool {
	return (s.channel == "" || d.Channel != nil && *d.Channel == s.channel) &&
		(s.platform == "" || string(d.Platform) == s.platform) && (s.runtime == "" || d.RuntimeVersion == s.runtime)
}

// Adoption returns the command that shows the releases that devices run.
func Adoption(s *command.Settings) *cobra.Command {
	var days int64
	var of slice
	cmd := s.Calling("adoption", "Show which releases devices run, by channel, platform and runtime version, and over time",
		func(c command.Call) error {
			if !slices.Contains(adoptionDays, strconv.FormatInt(days, 10)) {
				return command.Usagef("--days must be %s, not %d", command.Choice(adoptionDays), days)
			}
			if of.platform != "" && !slices.Contains(platforms, of.platform) {
				return command.Usagef("--platform must be %s, not %q", command.Choice(platforms), of.platform)
			}
			res, err := c.API.GetAdoptionWithResponse(c.Context(), &client.GetAdoptionParams{Days: new(client.GetAdoptionParamsDays(days))})
			if err != nil {
				return err
			}
			if res.JSON200 == nil {
				return command.ErrNoRecord
			}
			body, a := res.Body, *res.JSON200
			if of != (slice{}) {
				a = only(a, of)
				if len(a.Distribution) == 0 && of.channel != "" {
					if err := command.KnownChannel(c, of.channel); err != nil {
						return err
					}
				}
				if body, err = json.Marshal(a); err != nil {
					return err
				}
			}
			return command.Tell(c, func(a client.Adoption) []string { return adoptionLines(c.OutOrStdout(), a) }).Print(body, &a)
		})
	cmd.Long = "SHARE is the percentage of all active devices. OVER TIME has a column for each day, the last one is today; its height\n" +
		"is the number of devices that ran the release on that day."
	cmd.Example = "  waft adoption --days 30 --channel production"
	f := cmd.Flags()
	f.Int64Var(&days, "days", 7, "number of days, including today: 7, 14, 30 or 90")
	f.StringVar(&of.channel, "channel", "", "show only releases that were published to this channel")
	f.StringVar(&of.platform, "platform", "", "show only devices of this platform: ios, android or web")
	f.StringVar(&of.runtime, "runtime-version", "", "show only devices with this runtime version")
	return cmd
}

// only returns the adoption of a part of the devices: the releases that they run.
func only(a client.Adoption, of slice) client.Adoption {
	a.Distribution = slices.DeleteFunc(a.Distribution, func(d client.UpdateDevices) bool { return !of.has(d) })
	kept := map[string]bool{}
	for _, d := range a.Distribution {
		kept[keyOf(d.UpdateUUID)] = true
	}
	a.Adoption = slices.DeleteFunc(a.Adoption, func(d client.UpdateDay) bool { return !kept[keyOf(d.UpdateUUID)] })
	a.ReleasesTracked = int64(len(a.Distribution))
	return a
}

// keyOf returns the update ID, or "" for the embedded update.
func keyOf(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

func adoptionLines(out io.Writer, a client.Adoption) []string {
	lines := []string{fmt.Sprintf("%s and %s in %s",
		count.Of(a.TotalActiveDevices, "active device"), count.Of(a.Downloads, "download"), count.Of(a.Days, "day"))}
	if !a.Exact {
		lines = append(lines, "the counts are estimates")
	}
	table := command.Table(out, "no device has reported",
		[]string{"RELEASE", "CHANNEL", "PLATFORM", "RUNTIME", "DEVICES", "SHARE", "", "OVER TIME"},
		func(d client.UpdateDevices) []string {
			return []string{
				command.Cell(command.RunningText(d.UpdateUUID, d.Release)), command.OrDash(d.Channel), string(d.Platform), d.RuntimeVersion,
				strconv.FormatInt(d.Devices, 10), fmt.Sprintf("%.1f%%", d.Percentage), bar(d.Percentage), overTime(a, d),
			}
		})
	return append(lines, table(a.Distribution)...)
}

// barWidth is the width of the bar for 100%.
const barWidth = 20

// bar returns a bar for a percentage.
func bar(percentage float64) string {
	n := min(max(int(percentage*barWidth/100+0.5), 0), barWidth)
	return strings.Repeat("█", n) + strings.Repeat("░", barWidth-n)
}

// overTime returns the devices of an update by day, as columns, for every day on which any device reported.
func overTime(a client.Adoption, of client.UpdateDevices) string {
	var dates []string
	counts := map[string]int64{}
	for _, day := range a.Adoption {
		date := day.Date.String()
		if !slices.Contains(dates, date) {
			dates = append(dates, date)
		}
		if keyOf(day.UpdateUUID) == keyOf(of.UpdateUUID) {
			counts[date] += day.Devices
		}
	}
	slices.Sort(dates)
	values := make([]int64, len(dates))
	for i, date := range dates {
		values[i] = counts[date]
	}
	return columns(values)
}

// columns returns values as columns of eight heights, relative to the greatest. A dot stands for 0.
func columns(values []int64) string {
	const heights = "▁▂▃▄▅▆▇█"
	shapes := []rune(heights)
	top := int64(1)
	for _, v := range values {
		top = max(top, v)
	}
	var b strings.Builder
	for _, v := range values {
		if v <= 0 {
			b.WriteRune('·')
			continue
		}
		b.WriteRune(shapes[(v*int64(len(shapes))-1)/top])
	}
	return b.String()
}
