package delivery

import (
	"io"
	"strconv"
)

// Body is the body of an answer in pieces, to be written one after the other.
// Answers share them; they must not be written to.
type Body [3][]byte

// WriteTo writes the whole body.
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

// Names of the parts of a multipart answer.
const (
	manifestPart  = "manifest"
	directivePart = "directive"
	chainPart     = "certificate_chain"
)

// Heads of the parts that are not signed.
var (
	manifestHead  = []byte(partHead(manifestPart, "application/json"))
	directiveHead = []byte(partHead(directivePart, "application/json"))
)

// form is a body with the header values that go with it.
type form struct {
	body      Body
	length    []string
	signature []string // of the single-part form; multipart has it in its part
}

func newForm(pieces ...[]byte) form {
	var f form
	length := 0
	for i, piece := range pieces {
		f.body[i] = piece
		length += len(piece)
	}
	f.length = []string{strconv.Itoa(length)}
	return f
}

// body is a manifest or directive in every form that a device may want, rendered
// and signed once. The forms share the JSON, which is most of their bytes.
type body struct {
	multipart, json form
	// signedMultipart and signedJSON are empty where the project does not sign.
	signedMultipart, signedJSON form
}

// newBody frames the JSON of a manifest or directive.
func newBody(part string, text []byte, s *signer) (*body, error) {
	head := manifestHead
	if part == directivePart {
		head = directiveHead
	}
	rest := append(make([]byte, 0, len(text)+len(formEnd)), text...)
	rest = append(rest, formEnd...)
	text = rest[:len(text):len(text)]
	b := &body{multipart: newForm(head, rest), json: newForm(text)}
	if s == nil {
		return b, nil
	}
	signature, err := s.sign(text)
	if err != nil {
		return nil, err
	}
	b.signedMultipart = newForm(s.chain, []byte(signedHead(part, signature)), rest)
	b.signedJSON = newForm(text)
	b.signedJSON.signature = []string{signature}
	return b, nil
}
