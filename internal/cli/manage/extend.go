package manage

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/observe"
	"github.com/waft-ota/waft/internal/cli/release"
)

// Extend adds commands to groups that other packages make.
func Extend(root *cobra.Command, s *command.Settings) {
	for _, group := range root.Commands() {
		switch group.Name() {
		case "flags":
			group.AddCommand(FlagCommands(s)...)
		case "releases":
			group.AddCommand(ReleaseCommands(s)...)
		case "builds":
			group.AddCommand(PublishBuild(s))
		case "channels":
			group.AddCommand(showChannelCommand(s))
		case "policies":
			group.AddCommand(forecastCommand(s), deletePolicyCommand(s))
		case "rollouts":
			group.AddCommand(curveCommand(s))
		case "stop":
			group.AddCommand(showStopCommand(s))
		case "events":
			group.AddCommand(observe.ShowEvent(s))
		case "audit":
			group.AddCommand(exportAuditCommand(s))
		}
	}
}

func showChannelCommand(s *command.Settings) *cobra.Command {
	return s.Calling("show CHANNEL", "Show a channel", func(c command.Call) error {
		return command.Tell(c, release.ChannelLines).Found(c.API.GetChannelWithResponse(c.Context(), c.Args[0], &client.GetChannelParams{}))
	})
}

func showStopCommand(s *command.Settings) *cobra.Command {
	return s.Calling("show", "Show whether the project is stopped, who stopped it, and the reason", func(c command.Call) error {
		lines := func(e client.EmergencyStop) []string {
			if !e.Active {
				return []string{"the project is not stopped"}
			}
			at := "-"
			if e.StoppedAt != nil {
				at = e.StoppedAt.UTC().Format(command.Stamp)
			}
			return []string{
				fmt.Sprintf("%s stopped the project at %s: %s", e.StoppedBy, at, command.OneLine(e.Reason, 200)),
				fmt.Sprintf("paused channels: %d, paused rollouts: %d; `waft resume` resumes them", len(e.Channels), len(e.Executions)),
			}
		}
		return command.Tell(c, lines).Found(c.API.GetEmergencyStopWithResponse(c.Context(), &client.GetEmergencyStopParams{}))
	})
}

// curveCommand returns the command that shows the observations of a rollout.
func curveCommand(s *command.Settings) *cobra.Command {
	var limit int64
	cmd := s.On("curve ID", "Show the observations of a rollout over time, newest first", command.RolloutOf,
		func(c command.Call, id int64) error {
			table := command.Table(c.OutOrStdout(), "no observations",
				[]string{"TIME", "STAGE", "PERCENT", "DEVICES", "CRASH RATE", "ERROR RATE", "EVIDENCE"},
				func(l client.RolloutLook) []string {
					return []string{
						l.At.UTC().Format(command.Stamp), strconv.FormatInt(l.StageIndex+1, 10), fmt.Sprintf("%v%%", l.Percentage),
						strconv.FormatInt(l.Devices, 10), fmt.Sprintf("%.2f%%", l.CrashRate), fmt.Sprintf("%.2f%%", l.ErrorRate),
						command.EvidenceText(l.Evidence),
					}
				})
			return command.Tell(c, table).Found(c.API.ListRolloutLooksWithResponse(c.Context(), id, &client.ListRolloutLooksParams{Limit: &limit}))
		})
	cmd.Long = "A rollout with more observations is shown at even distances."
	cmd.Flags().Int64Var(&limit, "limit", 50, "maximum number of observations, up to 2000")
	return cmd
}

func forecastCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("forecast FILE", "Show when the stages of a policy would begin, and when it would notice crashes",
		func(c command.Call) error {
			body, err := command.ReadJSON(c, c.Args[0])
			if err != nil {
				return err
			}
			return command.Tell(c, forecastLines).Found(c.API.PreviewRolloutPolicyWithBodyWithResponse(
				c.Context(), &client.PreviewRolloutPolicyParams{}, jsonType, bytes.NewReader(body)))
		})
	cmd.Long = "FILE has the fields of a policy, as for `waft policies create`; - reads the standard input. The policy is not created."
	cmd.Example = "  waft policies forecast careful.json"
	return cmd
}

func forecastLines(p client.PolicyForecast) []string {
	lines := []string{count.Of(p.ActiveDevices, "device") + " reported within 24 hours"}
	for i, stage := range p.Stages {
		begins := "never begins: too few devices"
		if stage.StartsAt != nil {
			begins = "begins " + stage.StartsAt.UTC().Format(command.Stamp)
		}
		lines = append(lines, fmt.Sprintf("  stage %d: %v%% of devices, about %s, %s", i+1, stage.Percentage,
			count.Of(stage.ExpectedDevices, "device"), begins))
	}
	end := "the last stage never ends: too few devices"
	if p.EndsAt != nil {
		end = "the last stage ends " + p.EndsAt.UTC().Format(command.Stamp)
	}
	lines = append(lines, end)
	for _, d := range p.Detection {
		noticed := "is not noticed"
		if d.Minutes != nil {
			noticed = "is noticed after " + (time.Duration(*d.Minutes * float64(time.Minute))).Round(time.Minute).String()
		}
		lines = append(lines, fmt.Sprintf("  a crash rate of %v%% %s", d.Rate, noticed))
	}
	return lines
}
