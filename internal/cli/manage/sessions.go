package manage

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

var sessionOf = command.ByID("session", "waft sessions list")

// Sessions returns the command that lists and ends the sessions of the signed-in person.
func Sessions(s *command.Settings) *cobra.Command {
	list := command.List[client.Session]{
		Noun: "sessions", Short: "List your sessions", Path: "/v1/auth/sessions", Whole: true,
		Header: []string{"ID", "SIGNED IN", "LAST SEEN", "METHOD", "ADDRESS", "", "CLIENT"}, Row: sessionRow,
	}.Command(s)
	end := s.On("end ID", "End one of your sessions; it has to sign in again", sessionOf, func(c command.Call, id int64) error {
		if err := c.Confirm("End the session " + strconv.FormatInt(id, 10) + "?"); err != nil {
			return err
		}
		_, err := c.API.EndSessionWithResponse(c.Context(), id, &client.EndSessionParams{})
		return command.Done(c, err, "session %d ended", id)
	})
	s.AsPerson(list)
	s.AsPerson(end)
	return command.AcrossProjects(s.Group("sessions", "List and end your sessions; requires `waft login`", list, end))
}

func sessionRow(l client.Session) []string {
	current := ""
	if l.IsCurrent {
		current = "this session"
	}
	return []string{
		strconv.FormatInt(l.ID, 10), l.CreatedAt.UTC().Format(command.Stamp), l.LastSeenAt.UTC().Format(command.Stamp), string(l.Method),
		l.Address, current, command.Cell(l.UserAgent),
	}
}
