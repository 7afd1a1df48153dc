package builds

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

const (
	// partBytes is the size of the parts in which a file is stored as it arrives. A killed process loses at most one
	// part.
	partBytes = 8 << 20
	// partTime is the maximum time to store a part. It is less than the hour after which the parts of ended attempts
	// are looked for.
	partTime = 5 * time.Minute
)

// fileReceiver receives the bytes that one request sends for a file.
type fileReceiver struct {
	*Handlers
	byteRange
	projectID int64
	sha256    string

	// partial is the attempt. Its ID is 0 until the first part is stored.
	partial models.PartialFile
	// earlier is the number of parts of the attempt that came with other requests.
	earlier int
	// chunks are the bytes of this request, on local disk.
	chunks []*assets.Staged
}

// receive stores the bytes, and the whole file once the last bytes have arrived. With codeNoSuchRange, p has the
// offset to continue from.
func (r *fileReceiver) receive(ctx context.Context, from io.Reader) (p models.FileProgress, created bool, err error) {
	if p, err = r.Files.FileProgress(ctx, r.projectID, r.sha256); err != nil && models.CodeOf(err) != models.CodeNotFound {
		return p, false, err
	}
	switch {
	case p.Complete && p.SizeBytes != r.total:
		return p, false, rest.Invalid("Content-Range", "the file has %d bytes, not %d", p.SizeBytes, r.total)
	case p.Complete:
		return p, false, nil
	}
	if err := r.begin(ctx); models.CodeOf(err) == rest.CodeNoSuchRange {
		return p, false, err
	} else if err != nil {
		return p, false, err
	}
	if err := r.Blobs.CheckSpace(ctx, r.projectID, r.total-r.first); err != nil {
		return p, false, err
	}
	body := &cutReader{from: from}
	for at := r.first; ; {
		chunk, err := r.Stager.Stage(ctx, io.LimitReader(body, min(partBytes, r.end-at)), partBytes)
		if err != nil {
			return p, false, err
		}
		r.chunks = append(r.chunks, chunk)
		at += chunk.Size()
		if at == r.end && body.more() {
			return p, false, rest.Invalid("Content-Range", "the body has more bytes than the range")
		}
		if at == r.total {
			return r.complete(ctx)
		}
		if chunk.Size() > 0 {
			if err := r.keepPart(ctx, chunk); err != nil {
				return r.overtaken(ctx, err)
			}
		}
		p = models.FileProgress{SizeBytes: r.total, ReceivedBytes: at}
		switch {
		case at == r.end:
			return p, false, nil
		case body.cut:
			return p, false, models.Errorf(models.CodeInvalid, "the body ended early; %d bytes of the file have arrived, continue from there", at)
		}
	}
}

// begin finds the attempt that the bytes continue.
func (r *fileReceiver) begin(ctx context.Context) (err error) {
	if r.first == 0 {
		return nil
	}
	r.partial, err = r.Files.PartialFile(ctx, r.projectID, r.sha256, r.total, r.first)
	if models.CodeOf(err) == models.CodeNotFound {
		return errNotThere
	}
	r.earlier = len(r.partial.Parts)
	return err
}

// errNotThere is the error for bytes that do not begin where the received bytes end.
var errNotThere = models.Errorf(rest.CodeNoSuchRange,
	"the bytes do not continue the upload; resume at the offset in the header Upload-Offset")

// keepPart stores a chunk as the next part of the attempt.
func (r *fileReceiver) keepPart(ctx context.Context, chunk *assets.Staged) (err error) {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	if r.partial.ID == 0 {
		if r.partial, err = r.Files.BeginFile(ctx, r.projectID, r.sha256, r.total); err != nil {
			return err
		}
	}
	part, err := chunk.KeepPart(ctx, r.projectID, r.partial.ID)
	if err != nil {
		return err
	}
	if err = r.Files.AddPart(ctx, &r.partial, part); err != nil && models.CodeOf(err) != models.CodeUnavailable {
		// If Postgres is unavailable, the part may have been recorded, so it is left for the cleanup to delete with
		// its attempt.
		err = errors.Join(err, r.FileParts.RemovePart(ctx, r.projectID, r.partial.ID, part))
	}
	return err
}

// overtaken returns the state of a file whose attempt another request has continued or ended.
func (r *fileReceiver) overtaken(ctx context.Context, cause error) (p models.FileProgress, created bool, err error) {
	if models.CodeOf(cause) != models.CodeInvalidTransition {
		return p, false, cause
	}
	p, err = r.Files.FileProgress(ctx, r.projectID, r.sha256)
	if err == nil && p.Complete || err != nil && models.CodeOf(err) != models.CodeNotFound {
		return p, false, err
	}
	return p, false, errNotThere
}

// complete stores the whole file.
func (r *fileReceiver) complete(ctx context.Context) (p models.FileProgress, created bool, err error) {
	whole, err := r.assemble(ctx)
	if err != nil {
		return p, false, err
	}
	if whole.SHA256() != r.sha256 {
		err := rest.Invalid("sha256", "the file that arrived has the SHA-256 %s; send it again from its first byte", whole.SHA256())
		return p, false, errors.Join(err, r.giveUp(ctx))
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	flushed := make(chan struct{})
	go func() { // both wait for a disk
		defer close(flushed)
		whole.Flush()
	}()
	hold, err := r.Blobs.HoldBlobs(ctx, r.projectID, []string{whole.MD5()})
	<-flushed
	if err != nil {
		return p, false, err
	}
	if hold.Known[whole.MD5()] == "" {
		if err := whole.Keep(ctx, r.projectID, whole.Sniffed()); err != nil {
			return p, false, err
		}
	}
	ended, err := r.Files.AddFile(ctx, r.projectID, models.NewFile{
		StoredFile: models.StoredFile{MD5: whole.MD5(), SHA256: r.sha256, SizeBytes: r.total, SniffedType: whole.Sniffed()},
		HoldID:     hold.ID,
	})
	if err != nil {
		return p, false, err
	}
	for _, id := range ended {
		if err := r.FileParts.RemoveParts(ctx, r.projectID, id); err != nil {
			r.Log.WarnContext(ctx, "parts of a complete file stay in the asset bucket until a cleanup", "project", r.projectID, "error", err)
		}
	}
	return models.FileProgress{SizeBytes: r.total, ReceivedBytes: r.total, Complete: true}, true, nil
}

// assemble returns the whole file on local disk: the parts of earlier requests, then the chunks of this one.
func (r *fileReceiver) assemble(ctx context.Context) (*assets.Staged, error) {
	if r.earlier == 0 && len(r.chunks) == 1 {
		return r.chunks[0], nil
	}
	before := r.partial
	before.Parts = before.Parts[:r.earlier]
	parts := r.FileParts.OpenParts(ctx, before)
	defer func() { _ = parts.Close() }() // it was only read
	all := []io.Reader{parts}
	for _, chunk := range r.chunks {
		f, err := chunk.Open()
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		all = append(all, f)
	}
	whole, err := r.Stager.Stage(ctx, io.MultiReader(all...), r.total)
	if err == nil {
		r.chunks = append(r.chunks, whole)
	}
	return whole, err
}

// giveUp ends an attempt whose bytes are not the file's.
func (r *fileReceiver) giveUp(ctx context.Context) error {
	if r.partial.ID == 0 {
		return nil
	}
	if err := r.Files.EndFile(ctx, r.projectID, r.partial.ID); err != nil {
		return err
	}
	return r.FileParts.RemoveParts(ctx, r.projectID, r.partial.ID)
}

// discard deletes the chunks from local disk.
func (r *fileReceiver) discard() error {
	var errs []error
	for _, chunk := range r.chunks {
		errs = append(errs, chunk.Discard())
	}
	return errors.Join(errs...)
}

// cutReader makes a broken connection look like the end of the body, so that the received bytes are kept.
type cutReader struct {
	from io.Reader
	// cut is set once the body has ended, for whatever reason.
	cut bool
}

func (c *cutReader) Read(p []byte) (int, error) {
	if c.cut {
		return 0, io.EOF
	}
	n, err := c.from.Read(p)
	if err != nil {
		c.cut = true
		err = io.EOF
	}
	return n, err
}

// more reports whether there are more bytes. Reading to the end also ends the deadline of rest.LimitBodyTime.
func (c *cutReader) more() bool {
	for {
		var next [1]byte
		n, err := c.Read(next[:])
		if n > 0 || err != nil {
			return n > 0
		}
	}
}
