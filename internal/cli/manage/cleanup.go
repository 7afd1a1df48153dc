package manage

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Cleanup returns the command that previews and runs a cleanup. The API has the same name for it.
func Cleanup(s *command.Settings) *cobra.Command {
	cmd := s.Group("gc", "Preview and run the cleanup of builds and files that no release needs",
		s.Calling("preview", "Show which builds and files a cleanup would delete", func(c command.Call) error {
			return command.Tell(c, garbageLines("a cleanup would delete")).
				Found(c.API.PreviewGarbageWithResponse(c.Context(), &client.PreviewGarbageParams{}))
		}),
		s.Calling("run", "Delete the builds and files that no release needs", func(c command.Call) error {
			if err := c.Confirm("Delete the builds and files that no release needs? `waft gc preview` lists them."); err != nil {
				return err
			}
			return command.Tell(c, garbageLines("deleted")).
				Found(c.API.CollectGarbageWithResponse(c.Context(), &client.CollectGarbageParams{}))
		}),
	)
	cmd.Long = "The setting --build-retention of `waft settings edit` decides when a build is old enough."
	return cmd
}

// garbageLines returns a function that lists builds and files, with what happens to them.
func garbageLines(verb string) func(client.Garbage) []string {
	return func(g client.Garbage) []string {
		lines := []string{fmt.Sprintf("%s: builds %d, files %d, partial uploads %d, %.1f MB",
			verb, len(g.Builds), g.BlobCount, g.PartialFileCount, float64(g.Bytes)/1e6)}
		for _, b := range g.Builds {
			lines = append(lines, fmt.Sprintf("  build %d for %s %s of %s, %.1f MB: %s", b.ID, b.Platform, b.RuntimeVersion,
				b.CreatedAt.UTC().Format(command.Stamp), float64(b.SizeBytes)/1e6, command.OneLine(b.Message, 60)))
		}
		if g.PendingBlobs > 0 {
			lines = append(lines, fmt.Sprintf("unused files that the next cleanup deletes from the asset bucket: %d", g.PendingBlobs))
		}
		return lines
	}
}
