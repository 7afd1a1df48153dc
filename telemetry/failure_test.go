package telemetry

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// listening returns the address of a server that passes accepted connections to serve.
func listening(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			serve(conn)
		}
	}()
	return listener.Addr().String()
}

func opened(t *testing.T, url string) *ClickHouse {
	t.Helper()
	c, err := Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// The URL of a request contains the user, the database and all parameters, which are kilobytes long.
func TestAnErrorOfClickHouseSaysWhatFailedWithoutTheURL(t *testing.T) {
	t.Parallel()
	address := listening(t, func(conn net.Conn) { conn.Close() })
	c := opened(t, "http://telltale:s3cret@"+address+"/hidden")
	_, asking := c.Adoption(t.Context(), 7, 30, time.Now())
	for what, err := range map[string]error{
		"read ":   asking,
		"ping":    c.Ping(t.Context()),
		"insert ": insertAll(t, c, "token", []models.HealthReport{testReport("a", models.EventCrash)}),
	} {
		requireUnavailable(t, err)
		for _, leak := range []string{"telltale", "hidden", "http://", "additional_table_filters", "project_id", "?"} {
			require.NotContains(t, err.Error(), leak)
		}
		require.Less(t, len(err.Error()), 300)
		require.Contains(t, err.Error(), what)
	}
	away := opened(t, "http://telltale:s3cret@127.0.0.1:1/hidden").Ping(t.Context())
	requireUnavailable(t, away)
	require.Contains(t, away.Error(), "connection refused")
	require.NotContains(t, away.Error(), "telltale")
}

func TestACallerThatLeavesIsNoFailureOfClickHouse(t *testing.T) {
	t.Parallel()
	real := enginetest.ClickHouse(t)
	asked := make(chan struct{}, 8)
	silent := listening(t, func(net.Conn) { asked <- struct{}{} })
	for _, url := range []string{real, "http://user@" + silent + "/db"} {
		c := opened(t, url)
		ctx, cancel := context.WithCancel(t.Context())
		if strings.Contains(url, silent) {
			go func() {
				<-asked
				cancel()
			}()
		} else {
			cancel()
		}
		_, err := selectSeeing[struct {
			N uint8 `ch:"n"`
		}](ctx, c.database, []int64{7}, "nothing", "SELECT 1 AS n", nil)
		cancel()
		require.ErrorIs(t, err, context.Canceled, url)
		require.NotEqual(t, models.CodeUnavailable, models.CodeOf(err), url)
		require.NotContains(t, err.Error(), "?")
	}
	var rejected *clickhouse.Exception
	_, err := selectSeeing[struct{}](t.Context(), opened(t, real).database, []int64{7}, "nothing", "SELECT nothing", nil)
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, models.CodeInternal, models.CodeOf(err))
}
