package manage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
)

// A deletion is a command that deletes the record with the name in its argument, or with the ID in --id. The argument is
// never an ID, because the name of one record can be the ID of another.
type deletion struct {
	verb, argument, short string
	// named and numbered are the words before the name and before the ID of the record.
	named, numbered string
	find            command.Lookup
	// delete deletes the record. Words such as "context user-42" identify it for a person.
	delete func(c command.Call, id int64, record string) error
}

func (d deletion) command(s *command.Settings) *cobra.Command {
	var id int64
	cmd := s.Calling(d.verb+" ["+d.argument+"]", d.short, func(c command.Call) error {
		if len(c.Args) == 0 {
			return d.delete(c, id, fmt.Sprintf("%s %d", d.numbered, id))
		}
		found, err := d.find(c, c.Args[0])
		var unknown *command.NotFoundError
		if command.Number(c.Args[0]) > 0 && errors.As(err, &unknown) {
			return command.NotFoundf("%w; if %s is an ID, use --id %s", err, c.Args[0], c.Args[0])
		}
		if err != nil {
			return err
		}
		return d.delete(c, found, d.named+" "+c.Args[0])
	})
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		byID := cmd.Flags().Changed("id")
		switch {
		case byID && len(given) > 0:
			return command.Usagef("use either %s or --id, not both", d.argument)
		case byID && id < 1:
			return command.Usagef("--id must be a positive number, not %d", id)
		case byID:
			return nil
		case len(given) == 0:
			return command.Usagef("%s is missing: %s; --id takes an ID instead", d.argument, cmd.UseLine())
		}
		return command.Args(d.argument)(cmd, given)
	}
	cmd.Flags().Int64Var(&id, "id", 0, "ID of the "+strings.Fields(d.named)[0]+", instead of "+d.argument)
	return cmd
}
