package observe

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Devices returns the command that lists and explains devices, and deletes their data.
func Devices(s *command.Settings) *cobra.Command {
	return s.Group("devices", "List devices, explain what a device gets and why, and delete its data",
		command.List[client.Device]{
			Noun: "devices", Short: "List the devices, by the time of their last report", Path: "/devices",
			Header: []string{"DEVICE", "PLATFORM", "RUNTIME", "CHANNEL", "LAST REPORT", "ERRORS", "CRASHES", "RUNS"}, Row: deviceRow,
			Filters: []command.Filter{
				{Flag: "search", Usage: "list only devices with this string in their ID"},
				channelFilter("devices"), releaseFilter("devices"),
				{
					Flag:  "sort",
					Usage: "field to sort by, with a leading - for descending order, such as -crashes, -errors or -lastSeenAt",
				},
			},
		}.Command(s),
		showDeviceCommand(s), deviceEventsCommand(s), eraseDeviceCommand(s),
	)
}

func deviceRow(d client.Device) []string {
	return []string{
		d.DeviceID, string(d.Platform), d.RuntimeVersion, d.Channel, stampOf(d.LastSeenAt), strconv.FormatInt(d.Errors, 10),
		strconv.FormatInt(d.Crashes, 10), command.Cell(command.RunningText(d.UpdateUUID, d.Release)),
	}
}

// stampOf returns a time, or a dash for none.
func stampOf(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.UTC().Format(command.Stamp)
}

func showDeviceCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("show DEVICE", "Explain a device: what it runs, what it gets now and why, what it got, and what it reported",
		func(c command.Call) error {
			return command.Tell(c, deviceLines).Found(c.API.GetDeviceWithResponse(c.Context(), c.Args[0], &client.GetDeviceParams{}))
		})
	cmd.Long = "DEVICE is the device ID, as `waft devices list` shows it. Use `waft resolve` for a device\n" +
		"that has not reported, or for another channel or runtime version."
	cmd.Example = "  waft devices show 2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11"
	cmd.Aliases = []string{"explain"}
	return cmd
}

// deviceLines describes a device, what it gets with each step, and its history.
func deviceLines(d client.DeviceDetail) []string {
	lines := []string{
		fmt.Sprintf("device %s, %s %s, channel %s", d.DeviceID, d.Platform, d.RuntimeVersion, d.Channel),
		fmt.Sprintf("runs %s; first report %s, last %s; %s, %s",
			command.RunningText(d.UpdateUUID, d.Release), stampOf(d.FirstSeenAt), stampOf(d.LastSeenAt),
			count.Of(d.Errors, "error"), count.Of(d.Crashes, "crash")),
	}
	if d.Resolve != nil {
		lines = append(lines, "gets now:")
		for _, line := range command.ResolutionLines(*d.Resolve) {
			lines = append(lines, "  "+line)
		}
	}
	if len(d.Served) > 0 {
		lines = append(lines, "got, newest first:")
	}
	for _, r := range d.Served {
		lines = append(lines, fmt.Sprintf("  %s  %s, reports from %s to %s",
			r.ServedAt.UTC().Format(command.Stamp), command.RunningText(r.UpdateUUID, r.Release), stampOf(r.FirstSeenAt), stampOf(r.LastSeenAt)))
	}
	for _, f := range d.Failed {
		lines = append(lines, fmt.Sprintf("problems with %s: first error %s, first crash %s, failed to start %s",
			command.RunningText(f.UpdateUUID, f.Release), stampOf(f.ErrorAt), stampOf(f.CrashAt), stampOf(f.FailedAt)))
	}
	if len(d.Events) > 0 {
		lines = append(lines, "reported, newest first:")
	}
	for _, e := range d.Events {
		what := errorText(e.ErrorName, e.Message)
		if what == "" {
			what = e.Name
		}
		line := fmt.Sprintf("  %s  %s ×%d  %s", e.ReceivedAt.UTC().Format(command.Stamp), e.Type, e.Count, command.OneLine(what, 100))
		if e.Fingerprint != nil {
			line += "  (waft errors show " + *e.Fingerprint + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func eraseDeviceCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("erase DEVICE", "Delete everything that Waft stores about a device, for example on the request of its user",
		func(c command.Call) error {
			if err := c.Confirm(fmt.Sprintf("Delete everything that Waft stores about the device %s?", c.Args[0])); err != nil {
				return err
			}
			res, err := c.API.EraseDeviceDataWithResponse(c.Context(), c.Args[0], &client.EraseDeviceDataParams{})
			if err == nil && res.StatusCode() == http.StatusAccepted {
				return command.Done(c, nil, "telemetry is unavailable: Waft deletes the data of the device %s later", c.Args[0])
			}
			return command.Done(c, err, "data of the device %s deleted", c.Args[0])
		})
	return cmd
}
