package fleet

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/dunglas/httpsfv"
)

// Filters are the last manifest filters that a device received. If an update's metadata has a filter's key, it must
// have the filter's value.
type Filters map[string]any

// Pass reports whether an update with the given metadata may run. The case of metadata keys is ignored. The embedded
// update has no metadata and always passes.
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

// headerDictionary reads a header with a structured-field dictionary. It returns nil if the header is absent, because
// the client then keeps its old values. A real client ignores a dictionary that it cannot read, and drops values that
// are not strings, numbers or booleans. Here both are errors.
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

func stringList(ids []string) (string, error) {
	list := make(httpsfv.List, len(ids))
	for i, id := range ids {
		list[i] = httpsfv.NewItem(id)
	}
	return httpsfv.Marshal(list)
}
