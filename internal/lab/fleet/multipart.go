package fleet

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
)

// splitMultipart returns the parts of a multipart/mixed body by name. It follows the stricter of the two clients'
// rules. The body begins with its delimiter, every line ends with CRLF, only CRLF follows the last delimiter, and
// parameter names are in lower case. An empty body has no parts.
func splitMultipart(contentType string, body []byte) (map[string][]byte, error) {
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
			return nil, fmt.Errorf("multipart body holds no part, which Android rejects")
		}
		return nil, fmt.Errorf("multipart body does not begin with its delimiter and CRLF")
	}
	parts := map[string][]byte{}
	for {
		content, after, found := bytes.Cut(rest, []byte("\r\n"+delimiter))
		if !found {
			return nil, fmt.Errorf("multipart body is not closed")
		}
		name, body, err := readPart(content)
		if err != nil {
			return nil, err
		}
		if _, again := parts[name]; again {
			return nil, fmt.Errorf("multipart body has two parts named %q", name)
		}
		parts[name] = body
		if string(after) == "--\r\n" {
			return parts, nil
		}
		if rest, ok = bytes.CutPrefix(after, []byte("\r\n")); !ok {
			return nil, fmt.Errorf("a multipart delimiter is not followed by CRLF")
		}
	}
}

func readPart(content []byte) (name string, body []byte, err error) {
	head, body, found := bytes.Cut(content, []byte("\r\n\r\n"))
	if !found {
		return "", nil, fmt.Errorf("a multipart part has no blank line after its headers")
	}
	for line := range strings.SplitSeq(string(head), "\r\n") {
		header, value, ok := strings.Cut(line, ":")
		if !ok {
			return "", nil, fmt.Errorf("a multipart part has the bad header line %q", line)
		}
		if strings.EqualFold(strings.TrimSpace(header), "content-disposition") {
			_, params, err := mime.ParseMediaType(strings.TrimSpace(value))
			if err != nil || !strings.Contains(value, "name=") {
				return "", nil, fmt.Errorf("a multipart part has the bad content-disposition %q", value)
			}
			name = params["name"]
		}
	}
	if name == "" {
		return "", nil, fmt.Errorf("a multipart part has no name")
	}
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		return "", nil, fmt.Errorf("the part %q begins with a byte order mark", name)
	}
	return name, body, nil
}
