package e2e

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A flood of large bodies fills the memory while it lasts. Afterwards the server must release the memory, because a
// container pays for it.
func TestMemoryOfABurstGoesBack(t *testing.T) {
	t.Parallel()
	const (
		requests = 400
		size     = 500_000 // bytes, less than the maximum size of a report
		mib      = 1 << 20
		rest     = 100 * mib // more than the memory of an idle server varies
	)
	env := settings(t)
	migrate(t, env)
	url := waftd(t, "api", env).url()
	resident := func() int { return int(metricOf(t, url, "process_resident_memory_bytes")) }
	before := resident()
	body := `{"projectSlug":"` + strings.Repeat("a", size-17)
	var open []net.Conn
	for range requests {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
		require.NoError(t, err)
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/ota/health-metrics HTTP/1.1\r\nHost: waft\r\nContent-Length: %d\r\n\r\n%s", size, body)
		open = append(open, conn)
	}
	eventually(t, func() bool { return resident() > before+requests*size }, "not all bodies are in memory")
	most := resident()
	for _, conn := range open {
		fmt.Fprint(conn, "}")
	}
	over := time.Now()
	await(t, waitLimit, time.Second, func() bool { return resident() < before+rest },
		"%d MiB before, %d MiB in the burst, %d MiB now", before/mib, most/mib, resident()/mib)
	t.Logf("%d MiB before, %d MiB in the burst, %d MiB after %v", before/mib, most/mib, resident()/mib, time.Since(over).Round(time.Second))
}
