package clickhouse

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// reserved are the URL parameters that speak to the server and are no
// settings of the engine.
var reserved = map[string]bool{
	"query": true, "database": true, "default_format": true,
	"user": true, "password": true, "role": true, "quota_key": true,
	"query_id": true, "session_id": true, "session_timeout": true, "session_check": true,
	"compress": true, "decompress": true, "client_protocol_version": true,
	"buffer_size": true, "wait_end_of_query": true, "stacktrace": true, "close_session": true,
}

// request is what a client asks for.
type request struct {
	statement
	// rows are the body's rows when the statement inserts them.
	rows []byte
	// compress asks for ClickHouse's own compressed blocks.
	compress bool
	// revision is the client's protocol revision, empty when it named none.
	revision string
}

// inlineLimit is the length from which rows written into a statement are fed
// from a file: the engine reads only the first 256 KiB of a statement.
const inlineLimit = 64 << 10

// parseRequest reads the request as ClickHouse's HTTP interface does: the
// statement is the query parameter followed by the body.
func parseRequest(r *http.Request) (request, *Failure) {
	query := r.URL.Query()
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return request{}, ownFailure(codeNotImplemented, "NOT_IMPLEMENTED",
			"External tables are not supported by the embedded server")
	}
	body, failure := readBody(r, query.Get("decompress") == "1")
	if failure != nil {
		return request{}, failure
	}

	req := request{
		statement: statement{
			format:   cmp.Or(query.Get("default_format"), r.Header.Get("X-ClickHouse-Format"), "TabSeparated"),
			database: cmp.Or(query.Get("database"), r.Header.Get("X-ClickHouse-Database"), defaultDatabase),
			settings: map[string]string{},
		},
		compress: query.Get("compress") == "1",
		revision: query.Get("client_protocol_version"),
	}
	req.addParameters(query)
	req.addStatement(query.Get("query"), body)

	switch {
	case strings.TrimSpace(req.sql) == "":
		return request{}, ownFailure(codeSyntaxError, "SYNTAX_ERROR", "Empty query")
	case req.rows == nil && severalStatements(req.sql):
		if _, ok := parseInsert(req.sql); !ok {
			return request{}, ownFailure(codeSyntaxError, "SYNTAX_ERROR",
				"Syntax error (Multi-statements are not allowed)")
		}
	}
	return req, nil
}

func (req *request) addParameters(query url.Values) {
	for name, values := range query {
		value := values[len(values)-1]
		if param, ok := strings.CutPrefix(name, "param_"); ok {
			req.params = append(req.params, parameter{param, value})
		} else if !reserved[name] {
			req.settings[name] = value
		}
	}
}

// addStatement splits the statement from the rows it inserts.
func (req *request) addStatement(head string, body []byte) {
	if in, ok := parseInsert(head); ok && len(body) > 0 {
		req.rows = append([]byte(in.inline(head)), body...)
		req.sql = head
		return
	}

	req.sql = head
	if len(body) > 0 {
		if head != "" {
			req.sql += "\n"
		}
		req.sql += string(body)
	}
	in, ok := parseInsert(req.sql)
	if !ok {
		return
	}
	// Short rows stay where they are: the engine understands them best there.
	if data := in.inline(req.sql); in.format != "Values" || len(data) > inlineLimit {
		req.rows = []byte(strings.TrimSuffix(data, ";"))
	}
}

// readBody returns the body without what it was compressed with.
func readBody(r *http.Request, blocks bool) ([]byte, *Failure) {
	reader, failure := decoded(r.Header.Get("Content-Encoding"), r.Body)
	if failure != nil {
		return nil, failure
	}
	defer reader.Close()

	var source io.Reader = reader
	if blocks {
		source = blockReader(source)
	}
	var body bytes.Buffer
	if n := r.ContentLength; n > 0 {
		body.Grow(int(n) + bytes.MinRead)
	}
	if _, err := body.ReadFrom(source); err != nil {
		return nil, ownFailure(codeCannotReadBody, "CANNOT_READ_FROM_ISTREAM", "Cannot read the request: "+err.Error())
	}
	return body.Bytes(), nil
}
