package clickhouse

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// reserved are the URL parameters that are for the server and are not settings of the
// engine.
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
	// rows are what the statement inserts, when they are in the request. They may be
	// long, and are read once, straight into what the engine reads.
	rows io.Reader
	// compress asks for ClickHouse's own compressed blocks.
	compress bool
	// revision is the client's protocol revision, empty when it named none.
	revision string
}

// inlineLimit is the length from which rows written into a statement are fed
// from a file: the engine reads only the first 256 KiB of a statement.
const inlineLimit = 64 << 10

// parseRequest reads the request as ClickHouse's HTTP interface does: the
// statement is the query parameter followed by the body, which comes without its
// Content-Encoding and must stay open until the rows are read.
func parseRequest(r *http.Request, body io.Reader) (request, *Failure) {
	query := r.URL.Query()
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return request{}, serverFailure(codeNotImplemented, "NOT_IMPLEMENTED",
			"External tables are not supported by the embedded server")
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
	if query.Get("decompress") == "1" {
		body = blockReader(body)
	}
	if err := req.addStatement(query.Get("query"), body); err != nil {
		return request{}, unreadable(err)
	}

	switch {
	case strings.TrimSpace(req.sql) == "":
		return request{}, serverFailure(codeSyntaxError, "SYNTAX_ERROR", "Empty query")
	case req.rows == nil && severalStatements(req.sql):
		if _, ok := parseInsert(req.sql); !ok {
			return request{}, serverFailure(codeSyntaxError, "SYNTAX_ERROR",
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
func (req *request) addStatement(head string, body io.Reader) error {
	if in, ok := parseInsert(head); ok {
		body := bufio.NewReaderSize(body, 0)
		if _, err := body.Peek(1); err == nil {
			req.rows = io.MultiReader(strings.NewReader(in.inline(head)), body)
			req.sql = head
			return nil
		} else if !errors.Is(err, io.EOF) {
			return err
		}
	}

	rest, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	req.sql = head
	if len(rest) > 0 {
		if head != "" {
			req.sql += "\n"
		}
		req.sql += string(rest)
	}
	in, ok := parseInsert(req.sql)
	if !ok {
		return nil
	}
	// Short rows stay in the statement, which the engine parses itself.
	if data := in.inline(req.sql); in.format != "Values" || len(data) > inlineLimit {
		req.rows = strings.NewReader(strings.TrimSuffix(data, ";"))
	}
	return nil
}

// unreadable is the failure of a request whose body is cut short or not compressed as declared.
func unreadable(err error) *Failure {
	return serverFailure(codeCannotReadBody, "CANNOT_READ_FROM_ISTREAM", "Cannot read the request: "+err.Error())
}
