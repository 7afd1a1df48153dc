// Package storage stands for the Google Cloud Storage client, which the Temporal
// server links for an archiver. The embedded server archives nothing.
package storage

import (
	"context"
	"errors"

	"google.golang.org/api/option"
)

// ErrLeftOut is the error of every call.
var ErrLeftOut = errors.New("archiving to Google Cloud Storage is left out of the embedded Temporal server")

const ScopeFullControl = "https://www.googleapis.com/auth/devstorage.full_control"

type (
	Client         struct{}
	BucketHandle   struct{}
	ObjectHandle   struct{}
	ObjectIterator struct{}
	Reader         struct{}
	Writer         struct{}

	Query       struct{ Prefix string }
	BucketAttrs struct{}
	ObjectAttrs struct{ Name string }
)

// NewClient fails with ErrLeftOut, so no other function here is ever called.
func NewClient(context.Context, ...option.ClientOption) (*Client, error) { return nil, ErrLeftOut }

func (*Client) Bucket(string) *BucketHandle { return &BucketHandle{} }

func (*BucketHandle) Attrs(context.Context) (*BucketAttrs, error)     { return nil, ErrLeftOut }
func (*BucketHandle) Object(string) *ObjectHandle                     { return &ObjectHandle{} }
func (*BucketHandle) Objects(context.Context, *Query) *ObjectIterator { return &ObjectIterator{} }
func (*ObjectHandle) Attrs(context.Context) (*ObjectAttrs, error)     { return nil, ErrLeftOut }
func (*ObjectHandle) NewReader(context.Context) (*Reader, error)      { return nil, ErrLeftOut }
func (*ObjectHandle) NewWriter(context.Context) *Writer               { return &Writer{} }
func (*ObjectIterator) Next() (*ObjectAttrs, error)                   { return nil, ErrLeftOut }
func (*Reader) Read([]byte) (int, error)                              { return 0, ErrLeftOut }
func (*Reader) Close() error                                          { return nil }
func (*Writer) Write([]byte) (int, error)                             { return 0, ErrLeftOut }
func (*Writer) Close() error                                          { return ErrLeftOut }
func (*Writer) CloseWithError(error) error                            { return nil }
