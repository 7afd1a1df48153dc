package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEditsKeepTheRestOfTheFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, want string
		edits      []edit
	}{
		"an existing value": {
			text: "{\n\t\"z\": 1,\n\t\"a\": { \"b\":2 }\n}", want: "{\n\t\"z\": 1,\n\t\"a\": { \"b\":\"<3>\" }\n}",
			edits: []edit{{[]string{"a", "b"}, "<3>"}},
		},
		"a new member": {
			text: "{\n    \"expo\": {\n        \"name\": \"é\"\n    },\n    \"other\": [1,2]\n}\n",
			want: "{\n    \"expo\": {\n        \"name\": \"é\",\n" +
				"        \"updates\": {\n            \"url\": \"x\"\n        }\n    },\n    \"other\": [1,2]\n}\n",
			edits: []edit{{[]string{"expo", "updates", "url"}, "x"}},
		},
		"two members of a new object": {
			text: "{\n  \"expo\": {}\n}", want: "{\n  \"expo\": {\n    \"a\": {\n      \"b\": 1,\n      \"c\": 2\n    }\n  }\n}",
			edits: []edit{{[]string{"expo", "a", "b"}, 1}, {[]string{"expo", "a", "c"}, 2}},
		},
		"a file on one line": {
			text: `{"expo":{"name":"x"}}`, want: `{"expo":{"name":"x", "plugins": [["p",{"a":1}]]}}`,
			edits: []edit{{[]string{"expo", "plugins", "-"}, []any{"p", map[string]any{"a": 1}}}},
		},
		"an array": {
			text: "{\n  \"p\": [\n    \"a\"\n  ]\n}", want: "{\n  \"p\": [\n    \"a\",\n    [\n      \"b\"\n    ]\n  ]\n}",
			edits: []edit{{[]string{"p", "-"}, []any{"b"}}},
		},
		"an element": {
			text: `{"p": ["a", ["b", {"c": 1}]]}`, want: `{"p": ["a", ["b", {"c": 2}]]}`,
			edits: []edit{{[]string{"p", "1", "1", "c"}, 2}},
		},
		"line ends of Windows": {
			text: "{\r\n  \"a\": 1\r\n}\r\n", want: "{\r\n  \"a\": 1,\r\n  \"b\": {\r\n    \"c\": 1\r\n  }\r\n}\r\n",
			edits: []edit{{[]string{"b", "c"}, 1}},
		},
		"an empty document": {
			text: "{}\n", want: "{\n  \"expo\": {\n    \"a\": 1\n  }\n}\n", edits: []edit{{[]string{"expo", "a"}, 1}},
		},
		"space around an empty document": {
			text: "\r\n\t{\r\n}\r\n ", want: "\r\n\t{\r\n\t\"a\": 1\r\n}\r\n ", edits: []edit{{[]string{"a"}, 1}},
		},
		"a member that occurs twice": {
			text: `{"a": 1, "a": 2}`, want: `{"a": 1, "a": 3}`, edits: []edit{{[]string{"a"}, 3}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := applyEdits([]byte(c.text), c.edits)
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

func TestEditsThatAreImpossible(t *testing.T) {
	t.Parallel()
	_, err := applyEdits([]byte(`{"a": "text"}`), []edit{{[]string{"a", "b"}, 1}})
	require.ErrorContains(t, err, "a is not an object")
	_, err = applyEdits([]byte("{a: 1, // JSON5\n}"), nil)
	require.ErrorContains(t, err, "not JSON")
}
