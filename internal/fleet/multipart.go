package fleet

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
)

// part is one named part of a multipart answer.
type part struct {
	name        string
	contentType string
	body        []byte
}

// splitMultipart takes a multipart/mixed body apart by the stricter of the two
// clients' rules: no preamble, CRLF everywhere, the last delimiter followed by
// CRLF and nothing else, lower-case parameter names, part names unique. An empty
// body has no parts.
func splitMultipart(contentType string, body []byte) ([]part, error) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, fmt.Errorf("content type %q: %w", contentType, err)
	}
	boundary := params["boundary"]
	if boundary == "" || !strings.Contains(contentType, "boundary=") {
		return nil, fmt.Errorf("content type %q has no boundary in lower case", contentType)
	}
	if len(body) == 0 {
		return nil, nil
	}
	delimiter := "--" + boundary
	rest, ok := bytes.CutPrefix(body, []byte(delimiter+"\r\n"))
	if !ok {
		if bytes.HasPrefix(body, []byte(delimiter+"--")) {
			return nil, errNoParts
		}
		return nil, fmt.Errorf("multipart body does not begin with its delimiter and CRLF")
	}
	var parts []part
	for {
		content, after, found := bytes.Cut(rest, []byte("\r\n"+delimiter))
		if !found {
			return nil, fmt.Errorf("multipart body is not closed")
		}
		p, err := readPart(content)
		if err != nil {
			return nil, err
		}
		for _, other := range parts {
			if other.name == p.name {
				return nil, fmt.Errorf("multipart body has two parts named %q", p.name)
			}
		}
		parts = append(parts, p)
		if string(after) == "--\r\n" {
			return parts, nil
		}
		if rest, ok = bytes.CutPrefix(after, []byte("\r\n")); !ok {
			return nil, fmt.Errorf("a multipart delimiter is not followed by CRLF")
		}
	}
}

func readPart(content []byte) (part, error) {
	head, body, found := bytes.Cut(content, []byte("\r\n\r\n"))
	if !found {
		return part{}, fmt.Errorf("a multipart part has no blank line after its headers")
	}
	p := part{body: body}
	for line := range strings.SplitSeq(string(head), "\r\n") {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return part{}, fmt.Errorf("a multipart part has the bad header line %q", line)
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "content-type":
			p.contentType = value
		case "content-disposition":
			_, params, err := mime.ParseMediaType(value)
			if err != nil || !strings.Contains(value, "name=") {
				return part{}, fmt.Errorf("a multipart part has the bad content-disposition %q", value)
			}
			p.name = params["name"]
		}
	}
	if p.name == "" {
		return part{}, fmt.Errorf("a multipart part has no name")
	}
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		return part{}, fmt.Errorf("the part %q begins with a byte order mark", p.name)
	}
	return p, nil
}
