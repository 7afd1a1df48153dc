package command

import (
	"strconv"

	"github.com/waft-ota/waft/client"
)

// A Lookup returns the ID of the record that an argument names.
type Lookup func(c Call, arg string) (int64, error)

// ByID returns the lookup for records that are named only by their ID. The command list shows the IDs.
func ByID(noun, list string) Lookup {
	return func(_ Call, arg string) (int64, error) {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || id < 1 {
			return 0, Usagef("%q is not the ID of a %s; `%s` lists them", arg, noun, list)
		}
		return id, nil
	}
}

var (
	BuildOf   = ByID("build", "waft builds list")
	KeyOf     = ByID("key", "waft keys list")
	ReleaseOf = ByID("release", "waft releases list")
	RolloutOf = ByID("rollout", "waft rollouts list")
)

// PolicyOf finds the policy with the given ID or name.
func PolicyOf(c Call, idOrName string) (int64, error) {
	policy, err := c.API.FindPolicy(c.Context(), idOrName)
	if err != nil {
		return 0, err
	}
	if policy == nil {
		return 0, NotFoundf("rollout policy %q does not exist in this project; `waft policies list` lists them", idOrName)
	}
	return policy.ID, nil
}

// FlagOf finds the ID of the flag with the given key or ID.
func FlagOf(c Call, keyOrID string) (int64, error) {
	flag, err := FindFlag(c, keyOrID)
	if err != nil {
		return 0, err
	}
	return flag.ID, nil
}

// FindFlag returns the flag with the given key or ID.
func FindFlag(c Call, keyOrID string) (*client.Flag, error) {
	flag, err := c.API.FindFlag(c.Context(), keyOrID)
	if err == nil && flag == nil {
		err = NotFoundf("flag %q does not exist in this project; `waft flags list` lists them", keyOrID)
	}
	return flag, err
}

// KnownChannel returns an error unless the channel exists. A list of an unknown channel is empty, as the list of a channel without
// records is.
func KnownChannel(c Call, name string) error {
	channel, err := c.API.FindChannel(c.Context(), name)
	if err == nil && channel == nil {
		err = NotFoundf("channel %q does not exist in this project; `waft channels list` lists them", name)
	}
	return err
}
