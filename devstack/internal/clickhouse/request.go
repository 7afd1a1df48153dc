package clickhouse

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/ClickHouse/ch-go/compress"
)

// reserved are the URL parameters that are not settings of the engine.
var reserved = map[string]bool{
	"query": true, "database": true, "default_format": true,
	"user": true, "password": true, "role": true, "quota_key": true,
	"query_id": true, "session_id": true, "session_timeout": true, "session_check": true,
	"compress": true, "decompress": true, "client_protocol_version": true,
	"buffer_size": true, "wait_end_of_query": true, "stacktrace": true, "close_session": true,
}

type request struct {
	statement
	// rows are the rows that the statement inserts, or nil when the statement has them.
	// They may be long, and are read once.
	rows io.Reader
	// compress requests ClickHouse's own compressed blocks.
	compress bool
	// revision is the client's protocol revision, or "".
	revision string
}

// readOnly is the engine's setting that forbids changes. Once set, it cannot be reset in
// the same session.
const readOnly = "readonly"

// othersMaySet is the value of readOnly with which the session's other settings may still be set. A session with the value is used again.
const othersMaySet = "2"

// inlineLimit is the length of a statement's rows above which the engine reads them from
// a file: it reads only the first 256 KiB of a statement.
const inlineLimit = 64 << 10

// parseRequest reads a request. The statement is the query parameter followed by the
// decoded body, which must stay open until the rows are read.
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
	for name, values := range query {
		value := values[len(values)-1]
		if param, ok := strings.CutPrefix(name, "param_"); ok {
			req.params = append(req.params, parameter{param, value})
		} else if !reserved[name] {
			req.settings[name] = value
		}
	}
	if r.Method != http.MethodPost {
		if failure := req.onlyRead(); failure != nil {
			return request{}, failure
		}
	}
	if query.Get("decompress") == "1" {
		body = blocks{compress.NewReader(body)}
	}
	if err := req.addStatement(query.Get("query"), body); err != nil {
		return request{}, unreadable(err)
	}
	if strings.TrimSpace(req.sql) == "" {
		return request{}, serverFailure(codeSyntaxError, "SYNTAX_ERROR", "Empty query")
	}
	if _, ok := parseInsert(req.sql); !ok && severalStatements(req.sql) {
		return request{}, serverFailure(codeSyntaxError, "SYNTAX_ERROR", "Syntax error (Multi-statements are not allowed)")
	}
	return req, nil
}

// onlyRead makes the engine refuse all statements except queries, as a ClickHouse server does for
// methods that must not change data.
func (req *request) onlyRead() *Failure {
	switch req.settings[readOnly] {
	case "":
		req.settings[readOnly] = othersMaySet
	case "1", othersMaySet:
	default:
		return serverFailure(codeReadOnly, "READONLY", "Cannot modify 'readonly' setting in readonly mode: send the statement with POST")
	}
	return nil
}

// addStatement separates the statement from the rows that it inserts.
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
		req.sql = strings.TrimPrefix(head+"\n"+string(rest), "\n")
	}
	in, ok := parseInsert(req.sql)
	if !ok {
		return nil
	}
	// Short rows stay in the statement, which the engine parses itself, unless their text
	// cannot be part of a statement.
	if data := in.inline(req.sql); !in.values() || len(data) > inlineLimit || leaves(data) {
		req.rows = strings.NewReader(strings.TrimSuffix(data, ";"))
	}
	return nil
}

// unreadable returns the failure of a request whose body is incomplete or wrongly compressed.
func unreadable(err error) *Failure {
	return serverFailure(codeCannotReadBody, "CANNOT_READ_FROM_ISTREAM", "Cannot read the request: "+err.Error())
}

func decoded(encoding string, body io.Reader) (io.Reader, *Failure) {
	switch encoding {
	case "", "identity":
		return body, nil
	case "gzip":
		reader, err := gzip.NewReader(body)
		if err != nil {
			return nil, unreadable(err)
		}
		return reader, nil
	default:
		return nil, serverFailure(codeUnknownEncoding, "UNKNOWN_COMPRESSION_METHOD",
			"Unknown compression method '"+encoding+"'")
	}
}

// blocks decodes ClickHouse's own compressed blocks. After a complete block it returns a
// plain io.EOF; the underlying reader wraps that as it does an end within a block.
type blocks struct{ *compress.Reader }

func (b blocks) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// compressBlocks encodes the output in ClickHouse's compressed blocks of up to 1 MiB.
func compressBlocks(output []byte) ([]byte, error) {
	writer := compress.NewWriter(compress.LevelZero, compress.LZ4)
	var framed bytes.Buffer
	for block := range slices.Chunk(output, 1<<20) {
		if err := writer.Compress(block); err != nil {
			return nil, err
		}
		framed.Write(writer.Data)
	}
	return framed.Bytes(), nil
}
