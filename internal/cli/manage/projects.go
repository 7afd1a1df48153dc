package manage

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Projects returns the command that lists, creates and deletes projects.
func Projects(s *command.Settings) *cobra.Command {
	var slug string
	create := s.Calling("create NAME", "Create a project; needs the root key or an owner's session", func(c command.Call) error {
		lines := func(p client.Project) []string {
			return []string{fmt.Sprintf("project %s (%s) created; `waft --project %s keys create ci --role editor` creates its first key",
				p.Slug, p.Name, p.Slug)}
		}
		return command.Tell(c, lines).Made(c.API.CreateProjectWithResponse(c.Context(), &client.CreateProjectParams{},
			client.CreateProjectBody{Name: c.Args[0], Slug: command.Optional(slug)}))
	})
	create.Example = "  waft projects create 'Acme Shop' --slug acme-shop"
	create.Flags().StringVar(&slug, "slug", "", "name of the project in URLs and in --project; default: from NAME")
	return command.AcrossProjects(s.Group("projects", "List, create and delete the projects of the server",
		command.List[client.Project]{
			Noun: "projects", Short: "List the projects that the key or the session may see", Path: "/v1/ota/projects",
			Header: []string{"SLUG", "NAME", "CREATED", "UUID"},
			Row: func(p client.Project) []string {
				return []string{p.Slug, command.Cell(p.Name), p.CreatedAt.UTC().Format(command.Stamp), p.UUID.String()}
			},
			Filters: []command.Filter{command.SearchFilter("projects", "slug or name")},
		}.Command(s),
		create,
		s.Calling("delete SLUG", "Delete a project with all its records; needs the root key or an owner's session", func(c command.Call) error {
			if err := c.Confirm(fmt.Sprintf("Delete the project %s with all its releases, flags and telemetry?", c.Args[0])); err != nil {
				return err
			}
			_, err := c.API.DeleteProjectWithResponse(c.Context(), c.Args[0], &client.DeleteProjectParams{})
			return command.Done(c, err, "project %s deleted", c.Args[0])
		}),
	))
}
