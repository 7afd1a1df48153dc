package release

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Stop makes the command that stops the project.
func Stop(s *command.Settings) *cobra.Command {
	var reason string
	var preview bool
	cmd := s.Calling("stop", "Stop the project: pause every channel and every running rollout", func(c command.Call) error {
		body := client.StopBody{Reason: reason}
		if preview {
			return command.Tell(c, command.PreviewLines).
				Found(c.API.PreviewStopProjectWithResponse(c.Context(), &client.PreviewStopProjectParams{}, body))
		}
		lines := func(stop client.EmergencyStop) []string {
			return []string{fmt.Sprintf("stopped: %d channels and %d rollouts are paused; `waft resume` resumes them",
				len(stop.Channels), len(stop.Executions))}
		}
		return command.Tell(c, lines).Found(c.API.StopProjectWithResponse(c.Context(), &client.StopProjectParams{}, body))
	})
	cmd.Long = "Devices get nothing new from then on, and no rollout moves. It needs no running worker."
	cmd.Example = "  waft stop --reason 'payments fail in 1.4.0'"
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the timeline of rollouts and the audit log")
	command.PreviewFlag(cmd, &preview)
	return s.JSONFlag(command.Required(cmd, "reason"))
}

// Resume makes the command that ends the stop of a project.
func Resume(s *command.Settings) *cobra.Command {
	var preview bool
	cmd := s.Calling("resume", "Resume what `waft stop` paused", func(c command.Call) error {
		if preview {
			return command.Tell(c, command.PreviewLines).
				Found(c.API.PreviewResumeProjectWithResponse(c.Context(), &client.PreviewResumeProjectParams{}))
		}
		_, err := c.API.ResumeProjectWithResponse(c.Context(), &client.ResumeProjectParams{})
		return command.Done(c, err, "resumed")
	})
	command.PreviewFlag(cmd, &preview)
	return s.JSONFlag(cmd)
}
