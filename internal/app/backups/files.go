package backups

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"slices"

	"github.com/waft-ota/waft/internal/app/backups/archive"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/store/pgcopy"
	"github.com/waft-ota/waft/models"
)

// bucketFiles copies the files of the bucket to a folder of backups.
type bucketFiles struct {
	folder   archive.Folder
	bucket   *assets.Bucket
	listOnly bool
	// known has the files of the previous backup and of this one, by their keys.
	known map[string]bucketFile
}

// bucketFile is a file of the bucket. copied is true once this backup has it.
type bucketFile struct {
	archive.File
	copied bool
}

// openBucket opens the bucket with a folder for temporary files, which shut removes. If the process is killed, the folder stays until the
// next call for it.
func openBucket(ctx context.Context, cfg config.Config, staging string) (_ *assets.Bucket, shut func() error, err error) {
	bucket, err := assets.Open(ctx, cfg.AssetBucketURL, staging)
	if err == nil {
		err = bucket.Ping(ctx)
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(staging))
	}
	return bucket, func() error { return errors.Join(bucket.Close(), os.RemoveAll(staging)) }, nil
}

func openFiles(
	ctx context.Context, cfg config.Config, folder archive.Folder, listOnly bool,
) (f *bucketFiles, shut func() error, err error) {
	f = &bucketFiles{folder: folder, listOnly: listOnly, known: map[string]bucketFile{}}
	backups, err := folder.List()
	if err != nil {
		return nil, nil, err
	}
	if len(backups) > 0 {
		for file, err := range backups[len(backups)-1].EachFile() {
			if err != nil {
				return nil, nil, err
			}
			f.known[file.Key] = bucketFile{File: file}
		}
	}
	f.bucket, shut, err = openBucket(ctx, cfg, folder.Staging())
	return f, shut, err
}

// copyAll copies the files that the bucket has now and that are not copied yet.
func (f *bucketFiles) copyAll(ctx context.Context) error {
	for o, err := range f.bucket.Objects(ctx) {
		if err != nil {
			return err
		}
		if f.known[o.Key].copied {
			continue
		}
		file, err := f.copy(ctx, o)
		if models.CodeOf(err) == models.CodeNotFound {
			continue // deleted since it was listed
		}
		if err != nil {
			return err
		}
		f.known[file.Key] = bucketFile{File: file, copied: true}
	}
	return nil
}

func (f *bucketFiles) copy(ctx context.Context, o assets.Object) (file archive.File, err error) {
	file = archive.File{Key: o.Key, Size: o.Size, ModTime: o.ModTime}
	if f.listOnly {
		return file, nil
	}
	if old := f.known[o.Key].File; old.SHA256 != "" && old.Size == o.Size && old.ModTime.Equal(o.ModTime) &&
		f.folder.HasContent(old.SHA256, old.Size) {
		return old, nil
	}
	r, err := f.bucket.OpenObject(ctx, o.Key)
	if err != nil {
		return file, err
	}
	file.Type = r.ContentType()
	file.SHA256, file.Size, err = f.folder.AddContent(r)
	return file, errors.Join(err, r.Close())
}

// missing returns the keys of the files that records name and that the bucket lacks.
func (f *bucketFiles) missing(blobs map[pgcopy.Blob]int64) (keys []string) {
	for blob, size := range blobs {
		key, err := assets.FileKey(blob.ProjectID, blob.MD5)
		if file := f.known[key]; err != nil || !file.copied || file.Size != size {
			keys = append(keys, cmp.Or(key, blob.MD5))
		}
	}
	slices.Sort(keys)
	return keys
}

// all returns the copied files in the order of their keys.
func (f *bucketFiles) all() []archive.File {
	files := make([]archive.File, 0, len(f.known))
	for _, key := range slices.Sorted(maps.Keys(f.known)) {
		if file := f.known[key]; file.copied {
			files = append(files, file.File)
		}
	}
	return files
}
