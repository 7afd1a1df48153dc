package enginetest

import (
	"context"
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

// objectsStarts is how often a port may be taken by somebody else between being
// found and being used.
const objectsStarts = 5

const objectsBucket = "waft-assets"

// The S3 client finds its credentials in the environment; they are the same for
// every server, so that tests may run at once.
const (
	objectsKey    = "waft-test"
	objectsSecret = "waft-test-secret"
)

var setObjectsCredentials = sync.OnceValue(func() error {
	if err := os.Setenv("AWS_ACCESS_KEY_ID", objectsKey); err != nil {
		return err
	}
	return os.Setenv("AWS_SECRET_ACCESS_KEY", objectsSecret)
})

// Objects starts an S3-compatible server with an empty bucket, ended with the test,
// and returns the bucket's URL for WAFT_ASSET_BUCKET_URL. The server is a process of
// its own, made by `make objects`. Credentials are in the environment from then on.
func Objects(t testing.TB) string {
	t.Helper()
	bucketURL, _ := ObjectsIn(t, t.TempDir())
	return bucketURL
}

// ObjectsIn is Objects on a folder, where objects lie as files below the bucket's
// name. stop ends the server before the test does.
func ObjectsIn(t testing.TB, dir string) (bucketURL string, stop func()) {
	t.Helper()
	require.NoError(t, setObjectsCredentials())
	binary := objectsBinary()
	require.FileExists(t, binary, "the S3-compatible server is not built: run `make objects`, or `make test`")
	folders := map[string]string{"data": "", "meta": ""}
	for name := range folders {
		folders[name] = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Join(folders[name], objectsBucket), 0o700))
	}
	for range objectsStarts {
		address := freeAddress(t)
		end, ok := startObjects(t, binary, address, folders["data"], folders["meta"])
		if !ok {
			continue
		}
		stop = sync.OnceFunc(end)
		t.Cleanup(stop)
		query := url.Values{"endpoint": {"http://" + address}, "region": {"us-east-1"}, "use_path_style": {"true"}}
		return "s3://" + objectsBucket + "?" + query.Encode(), stop
	}
	require.Fail(t, "the S3-compatible server does not start")
	return "", nil
}

// startObjects returns false when the process ends before it answers.
func startObjects(t testing.TB, binary, address, data, meta string) (end func(), ok bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	// Side files hold the metadata: not every file system of a temporary folder has
	// extended attributes.
	cmd := exec.CommandContext(ctx, binary, "--port", address, "--region", "us-east-1", "--quiet", "posix", "--sidecar", meta, data)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+objectsKey, "ROOT_SECRET_ACCESS_KEY="+objectsSecret)
	cmd.Dir = data
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // it is killed
	}()
	end = func() { cancel(); <-ended }
	limit, cancelLimit := context.WithTimeout(ctx, setupTimeout)
	defer cancelLimit()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			end()
			return nil, false
		case <-limit.Done():
			end()
			require.Fail(t, "the S3-compatible server does not answer")
		case <-tick.C:
		}
		if answersHTTP(ctx, address) {
			return end, true
		}
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
	_ = answer.Body.Close() // whatever it says, it is there
	return true
}

func freeAddress(t testing.TB) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

// objectsBinary is bin/versitygw of the repository that the test runs in.
var objectsBinary = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "tools", "objects", "go.mod")); err == nil {
			return filepath.Join(dir, "bin", "versitygw")
		}
	}
	return ""
})
