package delivery

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/textproto"
)

// boundary separates the parts of every answer. A fixed one is safe: each part is
// JSON in one line, in which a line break, and so a delimiter, cannot occur.
const boundary = "waft-part-4f1c9a7e2d"

const multipartType = "multipart/mixed; boundary=" + boundary

// extensions says that no header is needed to download assets.
var extensions = []byte(`{"assetRequestHeaders":{}}`)

// frame is a multipart body of one part and the extensions. Part headers are in
// lower case, which textproto's own setters would not keep: the iOS client looks
// them up by exact name.
func frame(name string, part []byte) ([]byte, error) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	if err := w.SetBoundary(boundary); err != nil {
		return nil, fmt.Errorf("multipart boundary: %w", err)
	}
	for _, p := range []struct {
		name string
		text []byte
	}{{name, part}, {"extensions", extensions}} {
		body, err := w.CreatePart(textproto.MIMEHeader{
			"content-disposition": {`inline; name="` + p.name + `"`},
			"content-type":        {"application/json"},
		})
		if err == nil {
			_, err = body.Write(p.text)
		}
		if err != nil {
			return nil, fmt.Errorf("multipart part %s: %w", p.name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("multipart end: %w", err)
	}
	return out.Bytes(), nil
}
