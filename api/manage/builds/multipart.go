package builds

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// formPart is one part of a multipart form.
type formPart struct {
	name     string // name of the form field
	filename string // includes directories, which mime/multipart would remove
	io.Reader
}

// formParts reads a multipart form part by part, without holding a whole file in memory.
type formParts struct {
	parts   *multipart.Reader
	body    *formBody
	closing []byte // the boundary at the end of the form
}

// formBody keeps the error and the tail of the body. The error distinguishes a client that disconnected from a full
// asset bucket.
type formBody struct {
	io.Reader
	err  error
	tail []byte
}

// tailBytes exceeds the number of bytes that multipart.Reader reads ahead. So the tail contains the closing boundary
// once the reader has found it.
const tailBytes = 16 << 10

func (b *formBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		b.err = err
	}
	b.tail = append(b.tail, p[:n]...)
	if len(b.tail) > 2*tailBytes { // only when twice as long, so that each byte moves about once
		b.tail = append(b.tail[:0], b.tail[len(b.tail)-tailBytes:]...)
	}
	return n, err
}

// newFormParts returns a reader of the form in body, whose Content-Type is in r. For another media type it returns
// unsupported_media_type.
func newFormParts(r *http.Request, body io.Reader) (*formParts, error) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" || params["boundary"] == "" {
		return nil, models.Errorf(models.CodeUnsupportedMedia, "the body must be multipart/form-data with a boundary")
	}
	from := &formBody{Reader: body}
	return &formParts{
		parts: multipart.NewReader(from, params["boundary"]), body: from, closing: []byte("--" + params["boundary"] + "--"),
	}, nil
}

// next returns the next part; more is false after the last part. A form without its closing boundary is a CodeInvalid
// error.
func (f *formParts) next() (_ formPart, more bool, _ error) {
	part, err := f.parts.NextRawPart() // without decoding the file
	// The reader also returns io.EOF for a body that ends within a part's headers.
	if errors.Is(err, io.EOF) && bytes.Contains(f.body.tail, f.closing) {
		return formPart{}, false, nil
	}
	if err != nil {
		return formPart{}, false, f.broken(err)
	}
	disposition, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil || disposition != "form-data" || params["name"] == "" {
		return formPart{}, false, models.Errorf(models.CodeInvalid,
			"a part of the form has no readable Content-Disposition: form-data; name=…")
	}
	if len(params["name"]) > rest.MaxFieldName {
		return formPart{}, false, models.Errorf(models.CodeInvalid, "a part of the form has a name of more than %d bytes", rest.MaxFieldName)
	}
	return formPart{name: params["name"], filename: params["filename"], Reader: part}, true, nil
}

// broken converts an error that occurred while the form was read.
func (f *formParts) broken(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(f.body.err, &tooLarge) {
		return models.Errorf(models.CodeTooLarge, "the upload is larger than %d bytes", tooLarge.Limit)
	}
	e := models.Errorf(models.CodeInvalid, "the upload ended before it was complete and was discarded; send it again")
	e.Cause = err
	return e
}

// text reads a field of at most limit bytes.
func (f *formParts) text(part formPart, limit int64) (string, error) {
	value, err := io.ReadAll(io.LimitReader(part, limit+1))
	if err != nil {
		return "", f.broken(fmt.Errorf("field %s: %w", part.name, err))
	}
	if int64(len(value)) > limit {
		return "", models.Errorf(models.CodeTooLarge, "the field %s is larger than %d bytes", part.name, limit)
	}
	return string(value), nil
}
