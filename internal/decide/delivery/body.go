package delivery

import (
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/waft-ota/waft/internal/base/encoded"
	"github.com/waft-ota/waft/models"
)

// Body is the body of a response in pieces, which are written one after the other. Responses share the pieces, so
// callers must not modify them.
type Body [3][]byte

// WriteTo writes the whole body to w.
func (b Body) WriteTo(w io.Writer) (written int64, err error) {
	for _, piece := range b {
		if len(piece) == 0 {
			continue
		}
		n, err := w.Write(piece)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// boundary separates the parts of every multipart response. A constant is safe: a part is one line of JSON, which
// cannot contain a delimiter, or a PEM certificate, whose lines never begin like a delimiter.
const boundary = "waft-part-4f1c9a7e2d"

const multipartType = "multipart/mixed; boundary=" + boundary

const (
	lineEnd   = "\r\n"
	delimiter = "--" + boundary + lineEnd
)

// formEnd follows the manifest or directive. It is a part that tells the client to download assets without extra
// headers, and the end of the form.
const formEnd = lineEnd + delimiter +
	`content-disposition: inline; name="extensions"` + lineEnd +
	"content-type: " + plainJSON + lineEnd + lineEnd +
	`{"assetRequestHeaders":{}}` +
	lineEnd + "--" + boundary + "--" + lineEnd

// Names of the parts of a multipart response.
const (
	manifestPart  = "manifest"
	directivePart = "directive"
	chainPart     = "certificate_chain"
)

// partHead returns the bytes that precede a part's content. signature is "" for an unsigned part. Header names are in
// lower case because the iOS client looks the signature up by its exact name.
func partHead(name, contentType, signature string) []byte {
	head := delimiter +
		`content-disposition: inline; name="` + name + `"` + lineEnd +
		"content-type: " + contentType + lineEnd
	if signature != "" {
		head += "expo-signature: " + signature + lineEnd
	}
	return []byte(head + lineEnd)
}

// Heads of unsigned parts.
var (
	manifestHead  = partHead(manifestPart, plainJSON, "")
	directiveHead = partHead(directivePart, plainJSON, "")
)

// form is a body with its header values.
type form struct {
	body      Body
	length    []string
	signature []string // for the single-part form; a multipart body has the signature in its part
	// zipped is nil for a body that is too small to compress.
	zipped *zipped
}

// zipped is a body compressed with gzip. It is created for the first device that accepts gzip.
type zipped struct {
	once   sync.Once
	body   Body
	length []string
}

// gzip returns the compressed body. ok is false if it is not smaller than the plain body.
func (f *form) gzip() (body Body, length []string, ok bool) {
	if f.zipped == nil {
		return body, nil, false
	}
	f.zipped.once.Do(func() {
		if content := encoded.Compress(models.Gzip, f.body[:]...); content != nil {
			f.zipped.body, f.zipped.length = Body{content}, []string{strconv.Itoa(len(content))}
		}
	})
	return f.zipped.body, f.zipped.length, f.zipped.length != nil
}

func newForm(pieces ...[]byte) form {
	var f form
	length := 0
	for i, piece := range pieces {
		f.body[i] = piece
		length += len(piece)
	}
	f.length = []string{strconv.Itoa(length)}
	if encoded.Worth(length) {
		f.zipped = &zipped{}
	}
	return f
}

// body is a manifest or directive in every form, rendered and signed once. The forms share the JSON, which is most of
// their bytes.
type body struct {
	multipart, json form
	// signedMultipart and signedJSON are empty if the project does not sign.
	signedMultipart, signedJSON form
}

// newBody frames the JSON of a manifest or directive and signs it if s is not nil.
func newBody(part string, text []byte, s *signer) (*body, error) {
	head := manifestHead
	if part == directivePart {
		head = directiveHead
	}
	rest := slices.Concat(text, []byte(formEnd))
	text = rest[:len(text):len(text)]
	b := &body{multipart: newForm(head, rest), json: newForm(text)}
	if s == nil {
		return b, nil
	}
	signature, err := s.sign(text)
	if err != nil {
		return nil, err
	}
	b.signedMultipart = newForm(s.chain, partHead(part, plainJSON, signature), rest)
	b.signedJSON = newForm(text)
	b.signedJSON.signature = []string{signature}
	return b, nil
}
