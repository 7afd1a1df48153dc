package command

import (
	"fmt"
	"strconv"

	"github.com/waft-ota/waft/client"
)

// A Lookup returns the id of the record that an argument names.
type Lookup func(c Call, arg string) (int64, error)

// ByID is the lookup of records that are named only by their id. The command list shows
// the ids.
func ByID(noun, list string) Lookup {
	return func(_ Call, arg string) (int64, error) {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || id < 1 {
			return 0, fmt.Errorf("%q is not the id of a %s; `%s` shows them", arg, noun, list)
		}
		return id, nil
	}
}

var (
	KeyOf     = ByID("key", "waft keys list")
	ReleaseOf = ByID("release", "waft releases list")
	RolloutOf = ByID("rollout", "waft rollouts list")
)

// PolicyOf finds the policy with that id or name.
func PolicyOf(c Call, idOrName string) (int64, error) {
	policy, err := c.API.FindPolicy(c.Context(), idOrName)
	if err != nil {
		return 0, err
	}
	if policy == nil {
		return 0, fmt.Errorf("there is no rollout policy %q in this project; `waft policies list` shows them", idOrName)
	}
	return policy.ID, nil
}

// FlagOf finds the flag with that key or id.
func FlagOf(c Call, keyOrID string) (int64, error) {
	flag, err := FindFlag(c, keyOrID)
	if err != nil {
		return 0, err
	}
	return flag.ID, nil
}

// FindFlag returns the flag with that key or id.
func FindFlag(c Call, keyOrID string) (*client.Flag, error) {
	flag, err := c.API.FindFlag(c.Context(), keyOrID)
	if err == nil && flag == nil {
		err = fmt.Errorf("there is no feature flag %q in this project; `waft flags list` shows them", keyOrID)
	}
	return flag, err
}
