package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func stopCommand(s *settings) *cobra.Command {
	var reason string
	var preview bool
	cmd := s.calling("stop", "Stop the project: pause every channel and every running rollout", func(c call) error {
		body := client.StopBody{Reason: reason}
		if preview {
			return tell(c, previewLines).found(c.api.PreviewStopProjectWithResponse(c.Context(), &client.PreviewStopProjectParams{}, body))
		}
		lines := func(stop client.EmergencyStop) []string {
			return []string{fmt.Sprintf("stopped: %d channels and %d rollouts are paused; `waft resume` resumes them",
				len(stop.Channels), len(stop.Executions))}
		}
		return tell(c, lines).found(c.api.StopProjectWithResponse(c.Context(), &client.StopProjectParams{}, body))
	})
	cmd.Long = "Devices get nothing new from then on, and no rollout moves. It needs no running worker."
	cmd.Example = "  waft stop --reason 'payments fail in 1.4.0'"
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the timeline of rollouts and the audit log")
	previewFlag(cmd, &preview)
	return s.jsonFlag(required(cmd, "reason"))
}

func resumeCommand(s *settings) *cobra.Command {
	var preview bool
	cmd := s.calling("resume", "Resume what `waft stop` paused", func(c call) error {
		if preview {
			return tell(c, previewLines).found(c.api.PreviewResumeProjectWithResponse(c.Context(), &client.PreviewResumeProjectParams{}))
		}
		_, err := c.api.ResumeProjectWithResponse(c.Context(), &client.ResumeProjectParams{})
		return done(c, err, "resumed")
	})
	previewFlag(cmd, &preview)
	return s.jsonFlag(cmd)
}
