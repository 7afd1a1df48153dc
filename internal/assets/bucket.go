// Package assets keeps the files of builds in a bucket, each once per project under the MD5 of its
// content, and finds out what the files of an upload are.
//
// An upload is staged on local disk while it is hashed, so that memory use does not depend on its
// size and nothing enters the bucket before the whole upload is valid. An object never changes.
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

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/s3blob"   // s3://
	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/models"
)

// Bucket holds the files of every project. It is safe for concurrent use.
type Bucket struct {
	bucket  *blob.Bucket
	staging string
	// folder has the objects of a file:// bucket, "" for others.
	folder string
	// flush makes a local file durable.
	flush func(*os.File) error
}

// Open opens the bucket that bucketURL names: file:///folder, made when it is missing,
// s3://name?region=…, or, in a build with the tag clouds, gs://name or azblob://container;
// docs/assets.md has their options. Uploads are staged in stagingDir, which is made when it is
// missing and must belong to this process alone; files of an earlier process are removed.
func Open(ctx context.Context, bucketURL, stagingDir string) (*Bucket, error) {
	u, err := url.Parse(bucketURL)
	if err != nil {
		// The error of url.Parse quotes the URL, which may hold a secret.
		return nil, errors.New("the asset bucket's URL cannot be parsed")
	}
	b := &Bucket{staging: stagingDir, flush: (*os.File).Sync}
	switch u.Scheme {
	case "file":
		u.RawQuery = localOptions(u.Query())
		b.folder = localFolder(u)
	case "s3", "gs", "azblob":
		if u.Scheme != "s3" && !otherClouds {
			return nil, fmt.Errorf("this build has no driver for %s:// buckets: use a release or its image, or build with -tags clouds", u.Scheme)
		}
		if u.Host == "" {
			return nil, fmt.Errorf("the asset bucket's URL must name it: %s://name", u.Scheme)
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

// localFolder is the folder of a file URL, as fileblob reads it: file://./a is relative.
func localFolder(u *url.URL) string {
	folder := u.Path
	if u.Host == "." {
		folder = strings.TrimPrefix(folder, "/")
	}
	return filepath.FromSlash(folder)
}

// localOptions adds fileblob's options: a temporary file is beside its object, so that renaming it
// is atomic on any mount, and there are no metadata files.
func localOptions(q url.Values) string {
	q.Set("create_dir", cmp.Or(q.Get("create_dir"), "true"))
	q.Set("dir_file_mode", cmp.Or(q.Get("dir_file_mode"), "0700"))
	q.Set("metadata", "skip")
	q.Set("no_tmp_dir", "true")
	return q.Encode()
}

// Close releases the bucket's connections.
func (b *Bucket) Close() error { return b.bucket.Close() }

// Ping returns CodeUnavailable when the bucket cannot be reached.
func (b *Bucket) Ping(ctx context.Context) error {
	if b.folder != "" {
		// Listing a deleted folder is no error.
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

// suffixes end the keys of a file's compressed variants.
var suffixes = map[models.Encoding]string{models.Identity: "", models.Gzip: ".gz", models.Brotli: ".br"}

var md5Pattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// objectKey is the key of a file. It is CodeNotFound for anything but an MD5 in lower-case hex, so
// that a key cannot lead to another object.
func objectKey(projectID int64, md5 string) (string, error) {
	if !md5Pattern.MatchString(md5) {
		return "", notFound(md5)
	}
	return "projects/" + strconv.FormatInt(projectID, 10) + "/" + md5[:2] + "/" + md5, nil
}

func notFound(md5 string) error {
	return models.Errorf(models.CodeNotFound, "there is no asset %q", md5)
}

// unavailable is a failure of the bucket for a caller, unless the caller's context was cancelled.
func unavailable(err error) error {
	if code := gcerrors.Code(err); code == gcerrors.Canceled || errors.Is(err, context.Canceled) {
		return fmt.Errorf("asset store: %w", err)
	}
	return models.Unavailable("the asset store", err)
}
