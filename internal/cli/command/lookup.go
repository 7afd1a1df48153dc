package command

import (
	"net/url"
	"strconv"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/client"
)

// A Lookup returns the ID of the record that an argument names.
type Lookup func(c Call, arg string) (int64, error)

// ByID returns the lookup for records that are named only by their ID. The command list shows the IDs.
func ByID(noun, list string) Lookup {
	return func(_ Call, arg string) (int64, error) {
		id := Number(arg)
		if id == 0 {
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

// PolicyOf finds the policy with the given name or ID. Names are tried before IDs.
func PolicyOf(c Call, nameOrID string) (int64, error) {
	named, numbered, err := policiesOf(c, nameOrID)
	if err == nil && len(named) == 0 && numbered {
		return Number(nameOrID), nil
	}
	return onlyPolicy(named, err, nameOrID, "name one by its ID, %s")
}

// PolicyNamed finds the only policy with the given name.
func PolicyNamed(c Call, name string) (int64, error) {
	named, _, err := policiesOf(c, name)
	return onlyPolicy(named, err, name, "use --id with %s")
}

// policiesOf returns the IDs of the policies with a name, and whether the name is the ID of a policy.
func policiesOf(c Call, name string) (named []int64, numbered bool, err error) {
	_, _, err = Find(c, "/rollout-policies", url.Values{}, func(p client.RolloutPolicy) bool {
		if p.Name == name {
			named = append(named, p.ID)
		}
		numbered = numbered || p.ID == Number(name)
		return false // continue with the next
	})
	return named, numbered, err
}

// onlyPolicy returns the only ID. advice is the way to choose one of several.
func onlyPolicy(named []int64, err error, name, advice string) (int64, error) {
	switch {
	case err != nil:
		return 0, err
	case len(named) == 0:
		return 0, NotFoundf("rollout policy %q does not exist in this project; `waft policies list` lists them", name)
	case len(named) > 1:
		ids := make([]string, len(named))
		for i, id := range named {
			ids[i] = strconv.FormatInt(id, 10)
		}
		return 0, Usagef("%d policies have the name %q: "+advice, len(named), name, Choice(ids))
	}
	return named[0], nil
}

// UpdateOf returns the update ID of a release that is named by its ID or update ID.
func UpdateOf(c Call, release string) (string, error) {
	if id := Number(release); id > 0 {
		res, err := c.API.GetUpdateWithResponse(c.Context(), id, &client.GetUpdateParams{})
		if err != nil {
			return "", err
		}
		if res.JSON200 == nil {
			return "", ErrNoRecord
		}
		return res.JSON200.UpdateUUID.String(), nil
	}
	if _, err := uuid.Parse(release); err != nil {
		return "", Usagef("--release must be the ID or the update ID of a release, not %q; `waft releases list` lists them", release)
	}
	return release, nil
}

// FlagOf finds the ID of the flag with the given key or ID.
func FlagOf(c Call, keyOrID string) (int64, error) {
	flag, err := FindFlag(c, keyOrID)
	if err != nil {
		return 0, err
	}
	return flag.ID, nil
}

// FlagWithKey finds the ID of the flag with the given key.
func FlagWithKey(c Call, key string) (int64, error) {
	flag, err := FindFlag(c, key)
	if err == nil && flag.Key != key {
		err = noFlag(key)
	}
	if err != nil {
		return 0, err
	}
	return flag.ID, nil
}

func noFlag(key string) error {
	return NotFoundf("flag %q does not exist in this project; `waft flags list` lists them", key)
}

// FindFlag returns the flag with the given key or ID.
func FindFlag(c Call, keyOrID string) (*client.Flag, error) {
	flag, err := c.API.FindFlag(c.Context(), keyOrID)
	if err == nil && flag == nil {
		err = noFlag(keyOrID)
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
