// Package assets keeps the files of builds in a bucket. A file is stored once per project, under the MD5 of its
// content. The package also determines the role and type of each file of an upload.
//
// An upload is staged on local disk while it is hashed. So memory use does not depend on its size, and the bucket is
// not changed until the whole upload is valid. An object never changes.
package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/s3blob"   // s3://
	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/models"
)

// Bucket holds the files of every project. It is safe for concurrent use.
type Bucket struct {
	bucket  *blob.Bucket
	staging string
	// folder contains the objects of a file:// bucket. It is "" for other buckets.
	folder string
	// folderMode is the mode of the folders that are made in a file:// bucket.
	folderMode os.FileMode
	// flush makes a local file durable.
	flush func(*os.File) error
	// linkFile is os.Link, except in tests.
	linkFile func(from, to string) error
	// mustCopy says that staged files cannot be linked into the bucket.
	mustCopy atomic.Bool

	mu sync.Mutex
	// durable contains the folders of objects whose path this process has flushed.
	durable *cache.Generations[string, struct{}]
}

// Open opens the bucket with the URL bucketURL: file:///folder, which is created if it is missing, or
// s3://name?region=…. Builds with the tag clouds also support gs://name and azblob://container. See docs/operations/storage.md for
// the options.
//
// Uploads are staged in stagingDir, which is created if it is missing. It must belong to this process alone; Open
// removes files that an earlier process left there.
func Open(ctx context.Context, bucketURL, stagingDir string) (*Bucket, error) {
	u, err := url.Parse(bucketURL)
	if err != nil {
		// The error of url.Parse quotes the URL, which may contain a secret.
		return nil, errors.New("the asset bucket's URL cannot be parsed")
	}
	b := &Bucket{staging: stagingDir, flush: (*os.File).Sync, linkFile: os.Link, durable: cache.New[string, struct{}](knownFolders, 0)}
	switch u.Scheme {
	case "file":
		options := localOptions(u.Query())
		u.RawQuery = options.Encode()
		b.folder = localFolder(u)
		mode, err := strconv.ParseUint(options.Get("dir_file_mode"), 0, 32)
		if err != nil {
			return nil, fmt.Errorf("the asset bucket's URL has dir_file_mode=%q; use a mode such as 0700", options.Get("dir_file_mode"))
		}
		b.folderMode = os.FileMode(mode)
	case "s3", "gs", "azblob":
		if u.Scheme != "s3" && !otherClouds {
			return nil, fmt.Errorf("this build does not support %s:// buckets; use a release or its image, or build with -tags clouds", u.Scheme)
		}
		if u.Host == "" {
			return nil, fmt.Errorf("the asset bucket's URL must contain the name of the bucket: %s://name", u.Scheme)
		}
	default:
		return nil, fmt.Errorf("the asset bucket's scheme is %q; file, s3, gs and azblob are supported", u.Scheme)
	}
	if err := prepareStaging(stagingDir); err != nil {
		return nil, err
	}
	if b.bucket, err = blob.OpenBucket(ctx, u.String()); err != nil {
		return nil, fmt.Errorf("open the asset bucket: %w", err)
	}
	return b, nil
}

// localFolder returns the folder of a file URL as fileblob interprets it: file://./a is relative.
func localFolder(u *url.URL) string {
	folder := u.Path
	if u.Host == "." {
		folder = strings.TrimPrefix(folder, "/")
	}
	return filepath.FromSlash(folder)
}

// localOptions adds options for fileblob. Temporary files are created in the folders of their objects, so that renaming
// them is atomic on any mount, and metadata files are not written.
func localOptions(q url.Values) url.Values {
	q.Set("create_dir", cmp.Or(q.Get("create_dir"), "true"))
	q.Set("dir_file_mode", cmp.Or(q.Get("dir_file_mode"), "0700"))
	q.Set("metadata", "skip")
	q.Set("no_tmp_dir", "true")
	return q
}

// Close releases the bucket's connections.
func (b *Bucket) Close() error { return b.bucket.Close() }

// Ping returns CodeUnavailable if the bucket is unreachable.
func (b *Bucket) Ping(ctx context.Context) error {
	if b.folder != "" {
		// For a deleted folder, listing does not return an error.
		var info os.FileInfo
		if !b.bucket.As(&info) || !info.IsDir() {
			return unavailable(errors.New("its folder does not exist"))
		}
		return nil
	}
	_, _, err := b.bucket.ListPage(ctx, blob.FirstPageToken, 1, &blob.ListOptions{BeforeList: withoutRetries})
	if gcerrors.Code(err) == gcerrors.NotFound {
		err = errors.New("the bucket does not exist; create it, or correct its address")
	}
	if err != nil {
		return unavailable(err)
	}
	return nil
}

// withoutRetries makes an S3 client return its first error. With retries, a check would end at its deadline, and its error would
// not name the reason.
func withoutRetries(as func(any) bool) error {
	var options *[]func(*s3.Options)
	if as(&options) {
		*options = append(*options, func(o *s3.Options) { o.RetryMaxAttempts = 1 })
	}
	return nil
}

// suffixes maps encodings to the endings of object keys.
var suffixes = map[models.Encoding]string{models.Identity: "", models.Gzip: ".gz", models.Brotli: ".br"}

var md5Pattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// objectKey returns the key of a file. It returns CodeNotFound for anything but an MD5 in lower-case hex, so that a key
// cannot lead to another object.
func objectKey(projectID int64, md5 string) (string, error) {
	if !md5Pattern.MatchString(md5) {
		return "", notFound(md5)
	}
	return "projects/" + strconv.FormatInt(projectID, 10) + "/" + md5[:2] + "/" + md5, nil
}

func notFound(md5 string) error {
	return models.Errorf(models.CodeNotFound, "asset %q does not exist", md5)
}

// unavailable returns a failure of the bucket as an error for callers, unless the caller's context was cancelled.
func unavailable(err error) error {
	if code := gcerrors.Code(err); code == gcerrors.Canceled || errors.Is(err, context.Canceled) {
		return fmt.Errorf("asset bucket: %w", err)
	}
	return models.Unavailable("the asset bucket", err)
}
