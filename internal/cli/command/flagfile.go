package command

import (
	"encoding/json"
	"fmt"
)

// readOnlyFlagFields are the fields of a flag that the server returns, and that do not change.
var readOnlyFlagFields = []string{"activeRollouts", "createdAt", "flagType", "id", "key", "newestReleases", "updatedAt"}

// ReadFlag reads a whole flag from a file, or from the standard input if the path is "-". It leaves out the fields that do not change, so
// that the output of `waft flags show --json` can be edited and given back. The server refuses every other unknown field.
func ReadFlag(c Call, path string) ([]byte, error) {
	body, err := ReadJSON(c, path)
	if err != nil {
		return nil, err
	}
	var flag map[string]json.RawMessage
	if err := json.Unmarshal(body, &flag); err != nil {
		return nil, Usagef("%s must contain a flag, which is a JSON object", path)
	}
	for _, field := range readOnlyFlagFields {
		delete(flag, field)
	}
	edited, err := json.Marshal(flag)
	if err != nil {
		return nil, fmt.Errorf("encoding the flag: %w", err)
	}
	return edited, nil
}
