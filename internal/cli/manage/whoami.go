package manage

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// WhoAmI returns the command that shows the caller's key or account.
func WhoAmI(s *command.Settings) *cobra.Command {
	cmd := s.Calling("whoami", "Show the key or person that the server sees, and the projects and roles", func(c command.Call) error {
		return command.Tell(c, meLines).Found(c.API.GetMeWithResponse(c.Context()))
	})
	return command.AcrossProjects(cmd)
}

func meLines(m client.Me) []string {
	var lines []string
	if m.User != nil {
		line := m.User.Email
		if m.User.Name != "" {
			line += " (" + m.User.Name + ")"
		}
		if m.User.IsOwner {
			line += ", an owner of the installation"
		}
		lines = append(lines, line)
	}
	if m.APIKey != nil {
		lines = append(lines, fmt.Sprintf("API key %s (%s…), role %s", m.APIKey.Name, m.APIKey.Prefix, m.APIKey.Role))
	}
	for _, p := range m.Projects {
		lines = append(lines, fmt.Sprintf("  project %s: %s", p.Slug, p.Role))
	}
	return lines
}
