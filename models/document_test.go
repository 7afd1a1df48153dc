package models

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func nested(open, within, shut string, depth int) string {
	return strings.Repeat(open, depth) + within + strings.Repeat(shut, depth)
}

func TestADocumentOfACallerCanBeKeptAndReadByEveryone(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		`{}`: "", " {\n} ": "", `{"a":[1,-0.0,0e-5,1e-300,null,true,"\\u0000","\\"]}`: "",
		`{"a":"\ud83d\uDE00 \\\\ud800 \" ü"}`:       "",
		nested(`{"a":`, "1", "}", maxDocumentDepth): "",

		``: "malformed", `{`: "malformed", `{} {}`: "malformed", `{"a":1,}`: "malformed", `{"a":tru}`: "malformed", `{"a":"\x"}`: "malformed",
		`null`: "must be a JSON object", `[]`: "must be a JSON object", `"{}"`: "must be a JSON object", `5`: "must be a JSON object",
		"{\"a\":\"\xff\"}": "not valid UTF-8", `{"a":"x\u0000"}`: "NUL", `{"\u0000":1}`: "NUL",
		`{"a":"\ud800"}`: "surrogate", `{"a":"\ud800x"}`: "surrogate", `{"a":"\udc00\ud800"}`: "surrogate", `{"a":"\ud800\u0041"}`: "surrogate",
		`{"a":"\n\\\ud800"}`: "surrogate",
		`{"a":1e400}`:        "out of range", `{"a":-1e400}`: "out of range", `{"a":1e-400}`: "out of range",
		nested(`{"a":`, "1", "}", maxDocumentDepth+1): "nested deeper", `{"a":` + nested("[", "", "]", 9000) + `}`: "nested deeper",
	} {
		var p Problems
		checkDocument(&p, "field", json.RawMessage(text))
		if why == "" {
			require.NoError(t, p.Err(), "%.60s", text)
			continue
		}
		require.Len(t, p, 1, "%.60s", text)
		require.Equal(t, "field", p[0].Field)
		require.Contains(t, p[0].Message, why, "%.60s", text)
	}
}
