package enginetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const objectsBucket = "waft-assets"

// The S3 client reads its credentials from the environment. All servers use the same credentials, so that tests can run
// in parallel.
const (
	objectsKey    = "waft-test"
	objectsSecret = "waft-test-secret"
)

var setObjectsCredentials = sync.OnceValue(func() error {
	return errors.Join(os.Setenv("AWS_ACCESS_KEY_ID", objectsKey), os.Setenv("AWS_SECRET_ACCESS_KEY", objectsSecret))
})

// Objects starts an S3-compatible server with an empty bucket and returns the bucket's URL for WAFT_ASSET_BUCKET_URL.
// The server ends with the test. It is a separate process, built by `make objects`. Objects sets the credentials in the
// environment.
func Objects(t testing.TB) string {
	t.Helper()
	bucketURL, _ := ObjectsIn(t, t.TempDir())
	return bucketURL
}

// ObjectsIn works like Objects, but stores objects in dir, as files below the bucket's name. stop ends the server
// before the test ends.
func ObjectsIn(t testing.TB, dir string) (bucketURL string, stop func()) {
	t.Helper()
	require.NoError(t, setObjectsCredentials())
	for _, name := range []string{"data", "meta"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name, objectsBucket), 0o700))
	}
	// Another program may use the port before the server does.
	for range 5 {
		address := freeAddress(t)
		if stop := startObjects(t, address, dir); stop != nil {
			t.Cleanup(stop)
			query := url.Values{"endpoint": {"http://" + address}, "region": {"us-east-1"}, "use_path_style": {"true"}}
			return "s3://" + objectsBucket + "?" + query.Encode(), stop
		}
	}
	require.Fail(t, "the S3-compatible server does not start")
	return "", nil
}

// startObjects returns nil if the process ends before it responds.
func startObjects(t testing.TB, address, dir string) (stop func()) {
	t.Helper()
	binary := filepath.Join(repository(), "bin", "versitygw")
	require.FileExists(t, binary, "the S3-compatible server is not built: run `make objects`, or `make test`")
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	// Metadata is in separate files, because not every file system for temporary folders has extended attributes.
	cmd := exec.CommandContext(ctx, binary, "--port", address, "--region", "us-east-1", "--quiet",
		"posix", "--sidecar", filepath.Join(dir, "meta"), filepath.Join(dir, "data"))
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+objectsKey, "ROOT_SECRET_ACCESS_KEY="+objectsSecret)
	cmd.Dir = filepath.Join(dir, "data")
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // returns an error because the process is killed
	}()
	stop = func() { cancel(); <-ended }
	limit, cancelLimit := context.WithTimeout(ctx, setupTimeout)
	defer cancelLimit()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !answersHTTP(limit, address) {
		select {
		case <-ended:
			stop()
			return nil
		case <-limit.Done():
			stop()
			require.Fail(t, "the S3-compatible server does not respond")
		case <-tick.C:
		}
	}
	select {
	case <-ended: // another program has responded
		return nil
	default:
		return stop
	}
}

func answersHTTP(ctx context.Context, address string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close() // any response is enough
	return true
}

// freeAddress returns an address without a listener. Its port is below the range for outgoing connections, so no
// outgoing connection takes it before the server does.
func freeAddress(t testing.TB) string {
	t.Helper()
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 15_000+rand.IntN(15_000))
		if listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address); err == nil {
			require.NoError(t, listener.Close())
			return address
		}
	}
}
