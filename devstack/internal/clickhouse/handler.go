package clickhouse

import (
	"fmt"
	"net/http"
	"strconv"
)

// handler serves ClickHouse's HTTP interface over the engine. Any user and
// password is accepted: it listens on loopback, for development.
type handler struct {
	pool     *pool
	greeting greeting
}

func (h *handler) routes() http.Handler {
	mux := http.NewServeMux()
	ok := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "Ok.\n") }
	mux.HandleFunc("/ping", ok)
	mux.HandleFunc("/replicas_status", ok)
	mux.HandleFunc("/{$}", h.query)
	return mux
}

func (h *handler) query(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery == "" && r.ContentLength == 0 {
		fmt.Fprint(w, "Ok.\n")
		return
	}

	body, failure := decoded(r.Header.Get("Content-Encoding"), r.Body)
	if failure != nil {
		h.fail(w, failure)
		return
	}
	defer body.Close()
	req, failure := parseRequest(r, body)
	if failure != nil {
		h.fail(w, failure)
		return
	}
	h.head(w, r, req)

	if hello, ok := h.greeting.answer(req); ok {
		h.succeed(w, req, hello)
		return
	}

	s := req.statement
	if in, ok := parseInsert(s.sql); ok && req.rows != nil {
		file, err := newRowFile(req.rows)
		if err != nil {
			h.fail(w, unreadable(err))
			return
		}
		defer file.Close()
		s.sql = in.from(file.path)
	}
	// The engine's output is written before its memory is given back.
	failure = h.pool.exec(r.Context(), s, func(output []byte, stats Stats) {
		w.Header().Set("X-ClickHouse-Summary",
			fmt.Sprintf(`{"read_rows":"%d","read_bytes":"%d"}`, stats.Rows, stats.Bytes))
		h.succeed(w, req, output)
	})
	if failure != nil {
		h.fail(w, failure)
	}
}

func (h *handler) head(w http.ResponseWriter, r *http.Request, req request) {
	header := w.Header()
	header.Set("Content-Type", contentType(req.format))
	header.Set("X-ClickHouse-Server-Display-Name", h.greeting.name)
	header.Set("X-ClickHouse-Format", req.format)
	header.Set("X-ClickHouse-Timezone", h.greeting.timezone)
	if id := r.URL.Query().Get("query_id"); id != "" {
		header.Set("X-ClickHouse-Query-Id", id)
	}
}

func (h *handler) succeed(w http.ResponseWriter, req request, output []byte) {
	if req.compress {
		framed, err := compressBlocks(output)
		if err != nil {
			h.fail(w, newFailure(err.Error()))
			return
		}
		output = framed
	}
	// clickhouse-go takes a body without a length for rows still to come.
	w.Header().Set("Content-Length", strconv.Itoa(len(output)))
	_, _ = w.Write(output)
}

func (h *handler) fail(w http.ResponseWriter, failure *Failure) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=UTF-8")
	header.Set("X-ClickHouse-Exception-Code", strconv.Itoa(failure.Code))
	w.WriteHeader(failure.status())
	fmt.Fprintln(w, failure.Message)
}

func contentType(format string) string {
	switch format {
	case "JSON", "JSONCompact", "JSONStrings":
		return "application/json; charset=UTF-8"
	case "JSONEachRow", "NDJSON":
		return "application/x-ndjson; charset=UTF-8"
	case "CSV", "CSVWithNames":
		return "text/csv; charset=UTF-8; header=absent"
	case "TabSeparated", "TSV", "TabSeparatedWithNames":
		return "text/tab-separated-values; charset=UTF-8"
	case "Native", "RowBinary", "Parquet", "Arrow":
		return "application/octet-stream"
	default:
		return "text/plain; charset=UTF-8"
	}
}
