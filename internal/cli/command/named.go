package command

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// Find returns the first record of a list that matches, nil for none, and its JSON. path is below /v1/ota, or below the server's address
// if it begins with /v1/. A nil query is for lists that the API returns as a whole.
func Find[T any](c Call, path string, query url.Values, match func(T) bool) (*T, json.RawMessage, error) {
	if query == nil {
		query = url.Values{}
	} else if !query.Has("limit") {
		query.Set("limit", strconv.FormatInt(ListLimit, 10))
	}
	for next := absolute(path) + "?" + query.Encode(); next != ""; {
		body, after, err := c.API.CallPage(c.Context(), next)
		if err != nil {
			return nil, nil, err
		}
		var page []json.RawMessage
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, nil, ErrNoRecord
		}
		for _, raw := range page {
			var record T
			if err := json.Unmarshal(raw, &record); err != nil {
				return nil, nil, err
			}
			if match(record) {
				return &record, raw, nil
			}
		}
		next = after
	}
	return nil, nil, nil
}

// Number returns the ID that an argument is, 0 if it is a name. Strings such as 007 and +7 are names.
func Number(arg string) int64 {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != arg {
		return 0
	}
	return id
}

// absolute returns the path below the server's address.
func absolute(path string) string {
	if strings.HasPrefix(path, "/v1/") {
		return path
	}
	return "/v1/ota" + path
}
