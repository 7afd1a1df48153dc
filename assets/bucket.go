package assets

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strconv"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/s3blob"   // s3://
	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/models"
)

// Bucket holds the files of every project. It is safe for concurrent use.
type Bucket struct {
	bucket  *blob.Bucket
	local   bool
	staging string
}

// Open opens the bucket that bucketURL names: file:///folder, made when it is
// missing, or s3://name?region=…. stagingDir is where uploads wait until they are
// kept; it is made when it is missing, belongs to this process alone, and what an
// earlier one left there is removed.
func Open(ctx context.Context, bucketURL, stagingDir string) (*Bucket, error) {
	u, err := url.Parse(bucketURL)
	if err != nil {
		// The error of url.Parse quotes the URL, which may hold a secret.
		return nil, errors.New("the asset bucket's URL cannot be parsed")
	}
	switch u.Scheme {
	case "file":
		u.RawQuery = localOptions(u.Query())
	case "s3":
	default:
		return nil, fmt.Errorf("the asset bucket's scheme is %q; file and s3 are supported", u.Scheme)
	}
	if err := prepareStaging(stagingDir); err != nil {
		return nil, err
	}
	bucket, err := blob.OpenBucket(ctx, u.String())
	if err != nil {
		return nil, fmt.Errorf("open the asset bucket: %w", err)
	}
	return &Bucket{bucket: bucket, local: u.Scheme == "file", staging: stagingDir}, nil
}

// localOptions fills in what keeps a folder a clean store: a temporary file lies
// beside its object, so that renaming it is atomic on any mount, and no side files
// are written.
func localOptions(q url.Values) string {
	for name, value := range map[string]string{
		"create_dir": "true", "dir_file_mode": "0700", "metadata": "skip", "no_tmp_dir": "true",
	} {
		if !q.Has(name) {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// Close releases the bucket's connections.
func (b *Bucket) Close() error { return b.bucket.Close() }

// Ping reports, as CodeUnavailable, why the bucket cannot be reached.
func (b *Bucket) Ping(ctx context.Context) error {
	if b.local {
		// A listing of a folder that is gone is empty and no error.
		var info os.FileInfo
		if !b.bucket.As(&info) || !info.IsDir() {
			return unavailable(errors.New("its folder is gone"))
		}
		return nil
	}
	ok, err := b.bucket.IsAccessible(ctx)
	if err == nil && !ok {
		err = errors.New("there is no such bucket")
	}
	if err != nil {
		return unavailable(err)
	}
	return nil
}

var md5Pattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// objectKey is where a file lies. It is CodeNotFound for what is no MD5 in
// lower-case hex, so no key can lead anywhere else.
func objectKey(projectID int64, md5 string) (string, error) {
	if !md5Pattern.MatchString(md5) {
		return "", notFound(md5)
	}
	return "projects/" + strconv.FormatInt(projectID, 10) + "/" + md5[:2] + "/" + md5, nil
}

func notFound(md5 string) error {
	return models.Errorf(models.CodeNotFound, "there is no asset %q", md5)
}

// unavailable is the failure of the bucket as a caller sees it. That the caller
// itself gave up is no such failure.
func unavailable(err error) error {
	if code := gcerrors.Code(err); code == gcerrors.Canceled || errors.Is(err, context.Canceled) {
		return fmt.Errorf("asset store: %w", err)
	}
	return models.Unavailable("the asset store", err)
}
