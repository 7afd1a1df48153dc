package clickhouse

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"

	"github.com/ClickHouse/ch-go/proto"

	"github.com/waft-ota/waft/devstack/internal/guard"
)

// handler serves ClickHouse's HTTP interface to programs on this machine.
type handler struct {
	pool     *pool
	greeting greeting
	user     string
	password string
	// names are the names of this server in a container network.
	names []string
}

func (h *handler) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/ping", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "Ok.\n") })
	query := func(w http.ResponseWriter, r *http.Request) {
		failure := h.login(r)
		if failure == nil {
			failure = h.query(w, r)
		}
		if failure != nil {
			w.Header().Set("X-ClickHouse-Exception-Code", strconv.Itoa(failure.Code))
			w.WriteHeader(failure.status())
			fmt.Fprintln(w, failure.Message)
		}
	}
	mux.HandleFunc("GET /{$}", query) // HEAD too
	mux.HandleFunc("POST /{$}", query)
	return guard.ProgramsNaming(h.names, mux)
}

func (h *handler) query(w http.ResponseWriter, r *http.Request) *Failure {
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	body, failure := decoded(r.Header.Get("Content-Encoding"), r.Body)
	if failure != nil {
		return failure
	}
	req, failure := parseRequest(r, body)
	if failure != nil {
		return failure
	}
	if hello, ok := h.greeting.answer(req); ok {
		return succeed(w, req, hello)
	}
	s := req.statement
	in, inserts := parseInsert(s.sql)
	inserts = inserts && req.rows != nil
	if inserts {
		s.sql = in.head()
	}
	if failure := confined(s.sql); failure != nil {
		return failure
	}
	if inserts {
		file, err := rowFile(req.rows)
		if err != nil {
			return unreadable(err)
		}
		defer file.Close()
		if in.values() {
			reaching, err := contains(file, reaches)
			if err != nil {
				return unreadable(err)
			}
			if reaching {
				in = in.literally()
			}
		}
		s.sql = in.from(fmt.Sprintf("/proc/self/fd/%d", file.Fd()))
	}
	// The output is written before the engine frees its memory.
	var broken *Failure
	if failure := h.pool.exec(r.Context(), s, func(output []byte) { broken = succeed(w, req, output) }); failure != nil {
		return failure
	}
	return broken
}

// rowFile copies rows to a file for the engine, in its data folder. The file is unnamed,
// so that it vanishes when the process is killed.
func rowFile(rows io.Reader) (*os.File, error) {
	file, err := os.CreateTemp(".", "rows-")
	if err != nil {
		return nil, err
	}
	if err = os.Remove(file.Name()); err == nil {
		_, err = io.Copy(file, rows)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// contains reports whether the expression matches in the file.
func contains(file *os.File, expression *regexp.Regexp) (bool, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	return expression.MatchReader(bufio.NewReader(file)), nil
}

func succeed(w http.ResponseWriter, req request, output []byte) *Failure {
	if req.compress {
		var err error
		if output, err = compressBlocks(output); err != nil {
			return newFailure(err.Error())
		}
	}
	// clickhouse-go expects more rows after a body without a length.
	w.Header().Set("Content-Length", strconv.Itoa(len(output)))
	_, _ = w.Write(output)
	return nil
}

// helloSQL is clickhouse-go's query for the server's version.
const helloSQL = "SELECT displayName(), version(), revision(), timezone()"

// greeting is the server's name, version and time zone.
type greeting struct{ name, version, timezone string }

func newGreeting(p *pool) (greeting, error) {
	var g greeting
	s := statement{
		sql:      "SELECT displayName(), version(), timezone()",
		format:   "TabSeparated",
		database: defaultDatabase,
	}
	var err error
	failure := p.exec(context.Background(), s, func(output []byte) {
		_, err = fmt.Sscan(string(output), &g.name, &g.version, &g.timezone)
	})
	if failure != nil {
		return greeting{}, failure
	}
	return g, err
}

// answer returns the response to clickhouse-go's hello. The client reads later blocks in the
// revision of this response. The engine cannot set a client's revision and always writes
// revision 0, so the response contains 0. The response itself is in the client's own revision.
func (g greeting) answer(req request) ([]byte, bool) {
	if req.revision == "" || req.format != "Native" || req.sql != helloSQL {
		return nil, false
	}
	revision, err := strconv.Atoi(req.revision)
	if err != nil {
		return nil, false
	}
	text := func(value string) *proto.ColStr {
		column := &proto.ColStr{}
		column.Append(value)
		return column
	}
	input := proto.Input{
		{Name: "displayName()", Data: text(g.name)},
		{Name: "version()", Data: text(g.version)},
		{Name: "revision()", Data: &proto.ColUInt32{0}},
		{Name: "timezone()", Data: text(g.timezone)},
	}
	block := proto.Block{Columns: len(input), Rows: 1}
	var buffer proto.Buffer
	if revision > 0 {
		block.Info.Encode(&buffer)
	}
	if err := block.EncodeRawBlock(&buffer, revision, input); err != nil {
		return nil, false
	}
	return buffer.Buf, true
}
