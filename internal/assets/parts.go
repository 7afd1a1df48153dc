package assets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"gocloud.dev/blob"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// partsPrefix returns the beginning of the keys of a partial file's parts.
func partsPrefix(projectID, partialID int64) string {
	return "projects/" + strconv.FormatInt(projectID, 10) + "/parts/" + strconv.FormatInt(partialID, 10) + "/"
}

// KeepPart stores the file in the bucket as a part of a partial file, under a new name. The part appears as a whole or
// not at all, and is durable when KeepPart returns.
func (s *Staged) KeepPart(ctx context.Context, projectID, partialID int64) (models.FilePart, error) {
	part := models.FilePart{Name: uuid.NewString(), SizeBytes: s.size}
	_, err := s.bucket.write(ctx, object{
		key: partsPrefix(projectID, partialID) + part.Name, path: s.path, flushed: s.flushed, md5: s.sum, contentType: "application/octet-stream",
	})
	if errors.Is(err, errKeyExists) {
		err = unavailable(err)
	}
	return part, err
}

// OpenParts returns a reader of the parts of a partial file, one after the other. The caller closes the reader.
func (b *Bucket) OpenParts(ctx context.Context, p models.PartialFile) io.ReadCloser {
	return &partsReader{ctx: ctx, bucket: b, prefix: partsPrefix(p.ProjectID, p.ID), parts: p.Parts}
}

// partsReader opens each part when the previous part ends.
type partsReader struct {
	ctx    context.Context
	bucket *Bucket
	prefix string
	parts  []models.FilePart
	open   *Reader
}

func (r *partsReader) Read(p []byte) (int, error) {
	for {
		if r.open == nil {
			if len(r.parts) == 0 {
				return 0, io.EOF
			}
			name := r.prefix + r.parts[0].Name
			opened, err := r.bucket.open(r.ctx, name, fmt.Errorf("the part %s of a file does not exist", name))
			if err != nil {
				return 0, err
			}
			r.open = opened
		}
		n, err := r.open.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		r.parts = r.parts[1:]
		if err := r.Close(); err != nil || n > 0 {
			return n, err
		}
	}
}

func (r *partsReader) Close() error {
	if r.open == nil {
		return nil
	}
	err := r.open.Close()
	r.open = nil
	return err
}

// RemovePart deletes one part. It ignores a part that does not exist.
func (b *Bucket) RemovePart(ctx context.Context, projectID, partialID int64, part models.FilePart) error {
	return b.remove(ctx, partsPrefix(projectID, partialID)+part.Name)
}

// RemoveParts deletes all objects of a partial file, including parts that were stored but not recorded.
func (b *Bucket) RemoveParts(ctx context.Context, projectID, partialID int64) error {
	list := b.bucket.List(&blob.ListOptions{Prefix: partsPrefix(projectID, partialID)})
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unavailable(err)
		}
		if err := b.remove(ctx, object.Key); err != nil {
			return err
		}
	}
}
