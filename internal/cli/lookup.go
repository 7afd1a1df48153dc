package cli

import (
	"fmt"
	"strconv"

	"github.com/waft-ota/waft/client"
)

// A lookup returns the id of the record that an argument names.
type lookup func(c call, arg string) (int64, error)

// byID is the lookup of records that are named only by their id. The command list shows
// the ids.
func byID(noun, list string) lookup {
	return func(_ call, arg string) (int64, error) {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || id < 1 {
			return 0, fmt.Errorf("%q is not the id of a %s; `%s` shows them", arg, noun, list)
		}
		return id, nil
	}
}

var (
	keyOf     = byID("key", "waft keys list")
	releaseOf = byID("release", "waft releases list")
	rolloutOf = byID("rollout", "waft rollouts list")
)

// policyOf finds the policy with that id or name.
func policyOf(c call, idOrName string) (int64, error) {
	policy, err := c.api.FindPolicy(c.Context(), idOrName)
	if err != nil {
		return 0, err
	}
	if policy == nil {
		return 0, fmt.Errorf("there is no rollout policy %q in this project; `waft policies list` shows them", idOrName)
	}
	return policy.ID, nil
}

// flagOf finds the flag with that key or id.
func flagOf(c call, keyOrID string) (int64, error) {
	flag, err := findFlag(c, keyOrID)
	if err != nil {
		return 0, err
	}
	return flag.ID, nil
}

// findFlag returns the flag with that key or id.
func findFlag(c call, keyOrID string) (*client.Flag, error) {
	flag, err := c.api.FindFlag(c.Context(), keyOrID)
	if err == nil && flag == nil {
		err = fmt.Errorf("there is no feature flag %q in this project; `waft flags list` shows them", keyOrID)
	}
	return flag, err
}
