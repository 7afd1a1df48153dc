package api

import (
	"io"
	"net"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
)

// endless is a file that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestAnAnswerWhoseReaderStandsStillIsBrokenOff(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	engine := gin.New()
	engine.GET("/", rest.LimitAnswerStall(50*time.Millisecond), func(c *gin.Context) {
		_, err := io.Copy(c.Writer, endless{})
		ended <- err
	})
	server := httptest.NewServer(engine)
	t.Cleanup(server.Close)
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { connection.Close() })
	send(t, connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	require.ErrorIs(t, <-ended, os.ErrDeadlineExceeded)
}
