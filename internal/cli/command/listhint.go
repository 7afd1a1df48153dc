package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// namingList adds the command that lists the records to the error for a record that does not exist. It does so only if the record
// is of the command's own group: waft channels list for a channel, but not for the branch that a channel should point to.
func namingList(cmd *cobra.Command, err error) error {
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Code != models.CodeNotFound || cmd.Parent() == nil {
		return err
	}
	for _, list := range cmd.Parent().Commands() {
		if list.Name() == "list" && list != cmd && strings.HasPrefix(refused.Detail, singular(cmd.Parent().Name())+" ") {
			return fmt.Errorf("%w; `%s` lists them", err, list.CommandPath())
		}
	}
	return err
}

// singular returns the noun of a group's name, such as policy for policies and branch for branches.
func singular(name string) string {
	if stem, found := strings.CutSuffix(name, "ies"); found {
		return stem + "y"
	}
	if stem, found := strings.CutSuffix(name, "ches"); found {
		return stem + "ch"
	}
	return strings.TrimSuffix(name, "s")
}
