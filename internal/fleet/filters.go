package fleet

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/dunglas/httpsfv"
)

// Filters are the manifest filters that a server sent last: what an update's
// metadata must hold, if it holds the key at all.
type Filters map[string]any

// Pass reports whether an update with the given metadata may run. Keys of the
// metadata compare without case; a key that the metadata lacks filters nothing,
// so the embedded update, which has no metadata, always passes.
func (f Filters) Pass(metadata map[string]string) bool {
	for key, want := range f {
		for name, value := range metadata {
			if strings.ToLower(name) == key && want != any(value) {
				return false
			}
		}
	}
	return true
}

// headerDictionary reads a structured-field dictionary header. An absent header
// is nil (the client keeps what it has), an empty one an empty dictionary. A real
// client ignores a dictionary that it cannot read, and drops values that are not
// strings, numbers or booleans; both are a server's mistake and an error here.
func headerDictionary(h http.Header, name string) (map[string]any, error) {
	values := h.Values(name)
	if len(values) == 0 {
		return nil, nil
	}
	out := map[string]any{}
	if strings.TrimSpace(strings.Join(values, "")) == "" {
		return out, nil
	}
	dictionary, err := httpsfv.UnmarshalDictionary(values)
	if err != nil {
		return nil, fmt.Errorf("header %s is not a structured dictionary: %w", name, err)
	}
	for _, key := range dictionary.Names() {
		member, _ := dictionary.Get(key)
		item, ok := member.(httpsfv.Item)
		if !ok {
			return nil, fmt.Errorf("header %s: %q is a list, which clients drop", name, key)
		}
		switch item.Value.(type) {
		case string, int64, float64, bool:
			out[key] = item.Value
		default:
			return nil, fmt.Errorf("header %s: %q has a value that clients drop", name, key)
		}
	}
	return out, nil
}

// stringList writes ids as a structured-field list of strings.
func stringList(ids []string) (string, error) {
	list := make(httpsfv.List, len(ids))
	for i, id := range ids {
		list[i] = httpsfv.NewItem(id)
	}
	return httpsfv.Marshal(list)
}

// stringDictionary writes params as a structured-field dictionary of strings, in
// the order of names.
func stringDictionary(names []string, params map[string]string) (string, error) {
	dictionary := httpsfv.NewDictionary()
	for _, name := range names {
		dictionary.Add(name, httpsfv.NewItem(params[name]))
	}
	return httpsfv.Marshal(dictionary)
}

// errNoParts is what Android says to a multipart body that only closes.
var errNoParts = errors.New("multipart body holds no part")
