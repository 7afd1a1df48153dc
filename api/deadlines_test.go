package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// arrival is the result of reading a body, and whether the request's context ended within the given time afterwards.
type arrival struct {
	body string
	err  error
	left bool
}

// receive serves one request behind the limit and returns a connection to write it to.
func receive(t *testing.T, renew bool, limit, wait time.Duration) (net.Conn, <-chan arrival) {
	t.Helper()
	arrived := make(chan arrival, 1)
	engine := gin.New()
	if renew {
		engine.Use(rest.RenewBodyTime)
	}
	engine.POST("/", func(c *gin.Context) {
		body, err := io.ReadAll(c.Request.Body)
		a := arrival{body: string(body), err: err}
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		defer cancel()
		select {
		case <-c.Request.Context().Done():
			a.left = true
		case <-ctx.Done():
		}
		arrived <- a
	})
	server := httptest.NewServer(rest.LimitBodyTime(limit, engine))
	t.Cleanup(server.Close)
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { connection.Close() })
	return connection, arrived
}

func send(t *testing.T, to net.Conn, text string) {
	t.Helper()
	_, err := io.WriteString(to, text)
	require.NoError(t, err)
}

func TestABodyThatStandsStillIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, renew := range map[string]bool{"within": false, "moving": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connection, arrived := receive(t, renew, 20*time.Millisecond, 0)
			send(t, connection, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf")
			a := <-arrived
			require.ErrorIs(t, a.err, os.ErrDeadlineExceeded)
			require.Equal(t, "half", a.body)
			require.Equal(t, 200, answered(t, connection, http.MethodPost))
		})
	}
}

// answered returns the status of the response to a request with the method on the connection, which then closes.
func answered(t *testing.T, on net.Conn, method string) int {
	t.Helper()
	require.NoError(t, on.SetReadDeadline(time.Now().Add(2*time.Minute)))
	from := bufio.NewReader(on)
	res, err := http.ReadResponse(from, &http.Request{Method: method})
	require.NoError(t, err, "the request holds its connection")
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	_, err = from.ReadByte()
	require.ErrorIs(t, err, io.EOF)
	return res.StatusCode
}

// impatient serves the API with the given limit for bodies.
func impatient(t *testing.T, limit time.Duration) (*reporting, *httptest.Server) {
	t.Helper()
	r := newReporting(t)
	r.deps.Metrics = nil
	handler, err := New(r.deps.deps())
	require.NoError(t, err)
	server := httptest.NewServer(rest.LimitBodyTime(limit, handler))
	t.Cleanup(server.Close)
	return r, server
}

// A request that is refused before its body is read must not hold its connection either.
func TestAHalfSentRequestIsAnswered(t *testing.T) {
	t.Parallel()
	_, server := impatient(t, 20*time.Millisecond)
	for path, status := range map[string]int{
		"/v1/ota/health-metrics": 400, "/v1/ota/flag-evaluations": 400, "/v1/ota/flags": 401, "/v1/ota/builds": 401,
		"/nowhere": 404, "/healthz": 405,
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			t.Cleanup(func() { connection.Close() })
			send(t, connection, "POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{")
			require.Equal(t, status, answered(t, connection, http.MethodPost))
		})
	}
}

// Every route must give up a silent body in time, whether huma, a handler, or net/http after a refusal reads the
// body.
func TestEveryRouteGivesUpASilentBody(t *testing.T) {
	t.Parallel()
	r, server := impatient(t, 5*time.Millisecond)
	rows := documentedRoutes(t).Rows
	require.NotEmpty(t, rows)
	// The routes are tested one by one, because the fakes are for one goroutine.
	for _, route := range rows {
		credential := "Authorization: Bearer " + r.keys[models.RoleAdmin] + "\r\nX-Project: " + demo.Slug
		if route.Access == rest.Person {
			credential = "Cookie: " + access.SessionCookie + "=" + r.owner + "\r\nOrigin: " + r.deps.BaseURL
		}
		path := regexp.MustCompile(`{[^}]*}`).ReplaceAllString(route.Path, demo.UUID.String())
		for _, media := range []string{"application/json", "multipart/form-data; boundary=x", "application/octet-stream"} {
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			send(t, connection, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\n%s\r\nContent-Type: %s\r\nContent-Length: 10\r\n\r\n",
				route.Method, path, credential, media))
			t.Logf("%s %s %s", route.Method, route.Path, media)
			answered(t, connection, route.Method)
			require.NoError(t, connection.Close())
		}
	}
}

func TestABodyThatMovesMayTakeItsTime(t *testing.T) {
	t.Parallel()
	const limit = 2 * time.Second // long enough for a busy machine to keep the pace
	connection, arrived := receive(t, true, limit, 0)
	send(t, connection, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
	pace := time.NewTicker(limit / 6)
	defer pace.Stop()
	for i := range 8 {
		<-pace.C
		send(t, connection, fmt.Sprintf("1\r\n%d\r\n", i))
	}
	send(t, connection, "0\r\n\r\n")
	a := <-arrived
	require.NoError(t, a.err)
	require.Equal(t, "01234567", a.body)
}

// A handler that runs longer than its body's time limit must not look like an abandoned request.
func TestTheTimeForABodyEndsWithTheBody(t *testing.T) {
	t.Parallel()
	const limit = 300 * time.Millisecond // long enough even for a busy machine to read a body that has arrived
	connection, arrived := receive(t, false, limit, 2*limit)
	send(t, connection, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody")
	a := <-arrived
	require.NoError(t, a.err)
	require.False(t, a.left)
}

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
