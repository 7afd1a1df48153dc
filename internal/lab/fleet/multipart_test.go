package fleet

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

const mixed = "multipart/mixed; boundary=B"

func TestMultipartIsReadByTheStricterClient(t *testing.T) {
	t.Parallel()
	manifest := "content-disposition: inline; name=\"manifest\"\r\ncontent-type: application/json\r\n\r\n{}"
	for name, c := range map[string]struct {
		contentType, body string
		parts             []string
		bad               string
	}{
		"one part":        {mixed, "--B\r\n" + manifest + "\r\n--B--\r\n", []string{"manifest"}, ""},
		"a quoted border": {`multipart/mixed; boundary="B"`, "--B\r\n" + manifest + "\r\n--B--\r\n", []string{"manifest"}, ""},
		"two parts": {
			mixed, "--B\r\n" + manifest + "\r\n--B\r\nContent-Disposition: inline; name=\"x\"\r\n\r\n\r\n--B--\r\n",
			[]string{"manifest", "x"}, "",
		},
		"an empty body":               {mixed, "", nil, ""},
		"iOS needs the last CRLF":     {mixed, "--B\r\n" + manifest + "\r\n--B--", nil, "not followed by CRLF"},
		"bare line feeds":             {mixed, "--B\n" + manifest + "\n--B--\n", nil, "begin with its delimiter"},
		"a preamble":                  {mixed, "hello\r\n--B\r\n" + manifest + "\r\n--B--\r\n", nil, "begin with its delimiter"},
		"never closed":                {mixed, "--B\r\n" + manifest, nil, "not closed"},
		"Android needs a part":        {mixed, "--B--\r\n", nil, "holds no part"},
		"a part twice":                {mixed, "--B\r\n" + manifest + "\r\n--B\r\n" + manifest + "\r\n--B--\r\n", nil, "two parts"},
		"an upper-case parameter":     {"multipart/mixed; Boundary=B", "--B\r\n" + manifest + "\r\n--B--\r\n", nil, "no boundary"},
		"a part without a name":       {mixed, "--B\r\ncontent-type: a/b\r\n\r\n{}\r\n--B--\r\n", nil, "no name"},
		"a byte order mark":           {mixed, "--B\r\n" + "content-disposition: inline; name=\"m\"\r\n\r\n\xef\xbb\xbf{}\r\n--B--\r\n", nil, "byte order mark"},
		"something after the closing": {mixed, "--B\r\n" + manifest + "\r\n--B--\r\nbye", nil, "not followed by CRLF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parts, err := splitMultipart(c.contentType, []byte(c.body))
			if c.bad != "" {
				require.ErrorContains(t, err, c.bad)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.parts, slices.Sorted(maps.Keys(parts)))
		})
	}
}
