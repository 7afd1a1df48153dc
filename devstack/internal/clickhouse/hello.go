package clickhouse

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/ClickHouse/ch-go/proto"
)

// helloSQL is the query by which clickhouse-go asks for the server's version.
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
	failure := p.exec(context.Background(), s, func(output []byte, _ Stats) {
		fields := strings.Split(strings.TrimSpace(string(output)), "\t")
		if len(fields) == 3 {
			g = greeting{name: fields[0], version: fields[1], timezone: fields[2]}
		}
	})
	if failure != nil {
		return greeting{}, failure
	}
	if g.version == "" {
		return greeting{}, fmt.Errorf("the engine did not report its version")
	}
	return g, nil
}

// answer returns the reply to clickhouse-go's hello. The client reads every
// later block in the revision that this reply names. The engine cannot be
// told a client's revision and always writes revision 0, so that is what the
// reply names; the reply itself is still read at the client's own revision.
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
