package assets

import (
	"bytes"
	"context"
	"crypto/md5" // buckets verify uploads with it
	"strconv"

	"gocloud.dev/blob"

	"github.com/waft-ota/waft/models"
)

// patchKey returns the key of the patch from the base to the target.
func patchKey(projectID int64, targetMD5, baseMD5 string) (string, error) {
	for _, name := range []string{targetMD5, baseMD5} {
		if !md5Pattern.MatchString(name) {
			return "", notFound(name)
		}
	}
	return "projects/" + strconv.FormatInt(projectID, 10) + "/patches/" + targetMD5 + "-" + baseMD5, nil
}

// PutPatch writes a patch, and replaces an existing one. The patch appears as a whole or not at all.
func (b *Bucket) PutPatch(ctx context.Context, projectID int64, targetMD5, baseMD5 string, patch []byte) error {
	key, err := patchKey(projectID, targetMD5, baseMD5)
	if err != nil {
		return err
	}
	sum := md5.Sum(patch)
	options := &blob.WriterOptions{ContentType: "application/octet-stream", ContentMD5: sum[:]}
	if err := b.upload(ctx, key, bytes.NewReader(patch), options); err != nil {
		return unavailable(err)
	}
	return nil
}

// OpenPatch opens a patch. It returns CodeNotFound if the patch does not exist. Reads end with ctx; the caller closes
// the Reader.
func (b *Bucket) OpenPatch(ctx context.Context, projectID int64, targetMD5, baseMD5 string) (*Reader, error) {
	key, err := patchKey(projectID, targetMD5, baseMD5)
	if err != nil {
		return nil, err
	}
	return b.open(ctx, key, models.Errorf(models.CodeNotFound, "a patch from %s to %s does not exist", baseMD5, targetMD5))
}

// RemovePatch deletes a patch. It ignores a patch that does not exist.
func (b *Bucket) RemovePatch(ctx context.Context, projectID int64, targetMD5, baseMD5 string) error {
	key, err := patchKey(projectID, targetMD5, baseMD5)
	if err != nil {
		return err
	}
	return b.remove(ctx, key)
}
