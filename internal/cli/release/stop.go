package release

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Stop returns the command that starts the emergency stop of the project.
func Stop(s *command.Settings) *cobra.Command {
	var reason string
	var preview bool
	cmd := s.Calling("stop", "Emergency stop: pause every channel and every running rollout of the project", func(c command.Call) error {
		body := client.StopBody{Reason: reason}
		if preview {
			return command.Tell(c, command.PreviewLines).
				Found(c.API.PreviewStopProjectWithResponse(c.Context(), &client.PreviewStopProjectParams{}, body))
		}
		lines := func(stop client.EmergencyStop) []string {
			return []string{fmt.Sprintf("stopped: paused %s and %s; `waft resume` resumes them",
				count.Of(len(stop.Channels), "channel"), count.Of(len(stop.Executions), "rollout"))}
		}
		return command.Tell(c, lines).Found(c.API.StopProjectWithResponse(c.Context(), &client.StopProjectParams{}, body))
	})
	cmd.Long = "From then on devices do not get new releases and rollouts do not advance. This works even if no worker is running."
	cmd.Example = "  waft stop --reason 'payments fail in 1.4.0'"
	cmd.Flags().StringVar(&reason, "reason", "", "reason, for the timelines of the rollouts and the audit log")
	command.PreviewFlag(cmd, &preview)
	return command.Required(cmd, "reason")
}

// Resume returns the command that ends the emergency stop of the project.
func Resume(s *command.Settings) *cobra.Command {
	var preview bool
	cmd := s.Calling("resume", "Resume the channels and rollouts that `waft stop` paused", func(c command.Call) error {
		if preview {
			return command.Tell(c, command.PreviewLines).
				Found(c.API.PreviewResumeProjectWithResponse(c.Context(), &client.PreviewResumeProjectParams{}))
		}
		_, err := c.API.ResumeProjectWithResponse(c.Context(), &client.ResumeProjectParams{})
		return command.Done(c, err, "resumed")
	})
	command.PreviewFlag(cmd, &preview)
	return cmd
}
