package assets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"gocloud.dev/blob"

	"github.com/waft-ota/waft/models"
)

// objectPrefix begins the keys of all objects.
const objectPrefix = "projects/"

// Object is an object of the bucket: a file, a compressed variant, a patch, or a part of an incomplete upload.
type Object struct {
	Key     string
	Size    int64
	ModTime time.Time
	// ContentType is empty in a list.
	ContentType string
}

// Objects lists the objects of all projects. It ends after an error.
func (b *Bucket) Objects(ctx context.Context) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		list := b.bucket.List(&blob.ListOptions{Prefix: objectPrefix})
		for {
			o, err := list.Next(ctx)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Object{}, unavailable(err))
				return
			}
			if !yield(Object{Key: o.Key, Size: o.Size, ModTime: o.ModTime.UTC()}, nil) {
				return
			}
		}
	}
}

// OpenObject opens an object by its key. It returns CodeNotFound if the object does not exist. The caller closes the Reader.
func (b *Bucket) OpenObject(ctx context.Context, key string) (*Reader, error) {
	return b.open(ctx, key, models.Errorf(models.CodeNotFound, "the bucket does not have the object %s", key))
}

// PutObject stores a local file as an object, unless the bucket has the object. It returns an error if the bucket has an object of another
// size under the key.
func (b *Bucket) PutObject(ctx context.Context, o Object, file string) error {
	if err := o.checkKey(); err != nil {
		return err
	}
	held, size, err := b.held(ctx, o.Key)
	if err == nil && !held {
		size, _, err = b.put(ctx, object{key: o.Key, path: file, contentType: o.ContentType, encoding: o.encoding()})
	}
	if err == nil && size != o.Size {
		err = o.differs(size)
	}
	return err
}

// CheckObject returns an error unless the bucket has the object with its size.
func (b *Bucket) CheckObject(ctx context.Context, o Object) error {
	if err := o.checkKey(); err != nil {
		return err
	}
	held, size, err := b.held(ctx, o.Key)
	switch {
	case err != nil:
		return err
	case !held:
		return fmt.Errorf("the bucket does not have the object %s; restore it from the bucket's own versions, then try again", o.Key)
	case size != o.Size:
		return o.differs(size)
	}
	return nil
}

func (o Object) differs(size int64) error {
	return fmt.Errorf("the bucket's object %s has %d bytes instead of %d; use another bucket, or delete the object", o.Key, size, o.Size)
}

func (o Object) checkKey() error {
	if !strings.HasPrefix(o.Key, objectPrefix) || path.Clean(o.Key) != o.Key {
		return fmt.Errorf("%q is not the key of an object", o.Key)
	}
	return nil
}

// encoding returns the content encoding, which the ending of the key names.
func (o Object) encoding() models.Encoding {
	for encoding, suffix := range suffixes {
		if suffix != "" && strings.HasSuffix(o.Key, suffix) {
			return encoding
		}
	}
	return models.Identity
}

// FileKey returns the key of a project's file with an MD5 in lower-case hex. It returns CodeNotFound for another string.
func FileKey(projectID int64, md5 string) (string, error) { return objectKey(projectID, md5) }
