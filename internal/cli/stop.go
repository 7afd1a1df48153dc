package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func stopCommand(s *settings) *cobra.Command {
	var reason string
	cmd := s.calling("stop", "Stop the project: pause every channel and every running rollout", func(c call) error {
		lines := func(stop client.EmergencyStop) []string {
			return []string{fmt.Sprintf("stopped: %d channels and %d rollouts are paused; `waft resume` resumes them",
				len(stop.Channels), len(stop.Executions))}
		}
		return tell(c, lines).found(c.api.StopProjectWithResponse(c.Context(), &client.StopProjectParams{}, client.StopBody{Reason: reason}))
	})
	cmd.Long = "Devices get nothing new from then on, and no rollout moves. It needs no running worker."
	cmd.Example = "  waft stop --reason 'payments fail in 1.4.0'"
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the timeline of rollouts and the audit log")
	return s.jsonFlag(required(cmd, "reason"))
}

func resumeCommand(s *settings) *cobra.Command {
	cmd := s.calling("resume", "Resume what `waft stop` paused", func(c call) error {
		_, err := c.api.ResumeProjectWithResponse(c.Context(), &client.ResumeProjectParams{})
		return done(c, err, "resumed")
	})
	return s.jsonFlag(cmd)
}
