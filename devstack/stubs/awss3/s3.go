// Package s3 stands for the AWS SDK's client of S3, which the Temporal server
// links for an archiver. The embedded server archives nothing.
package s3

import (
	"context"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

type (
	Client struct{}

	Options struct {
		BaseEndpoint *string
		UsePathStyle bool
	}
	option = func(*Options)

	HeadBucketInput  struct{ Bucket *string }
	HeadBucketOutput struct{}
	HeadObjectInput  struct{ Bucket, Key *string }
	HeadObjectOutput struct{}
	GetObjectInput   struct{ Bucket, Key *string }
	GetObjectOutput  struct{ Body io.ReadCloser }
	PutObjectInput   struct {
		Bucket, Key *string
		Body        io.Reader
	}
	PutObjectOutput    struct{}
	ListObjectsV2Input struct {
		Bucket, Prefix, Delimiter, ContinuationToken *string
		MaxKeys                                      *int32
	}
	ListObjectsV2Output struct {
		CommonPrefixes        []types.CommonPrefix
		Contents              []types.Object
		IsTruncated           *bool
		NextContinuationToken *string
	}
)

// NewFromConfig returns a client whose every call fails with aws.ErrLeftOut.
func NewFromConfig(aws.Config, ...func(*Options)) *Client { return &Client{} }

func (*Client) HeadBucket(context.Context, *HeadBucketInput, ...option) (*HeadBucketOutput, error) {
	return nil, aws.ErrLeftOut
}
func (*Client) HeadObject(context.Context, *HeadObjectInput, ...option) (*HeadObjectOutput, error) {
	return nil, aws.ErrLeftOut
}
func (*Client) PutObject(context.Context, *PutObjectInput, ...option) (*PutObjectOutput, error) {
	return nil, aws.ErrLeftOut
}
func (*Client) GetObject(context.Context, *GetObjectInput, ...option) (*GetObjectOutput, error) {
	return nil, aws.ErrLeftOut
}
func (*Client) ListObjectsV2(context.Context, *ListObjectsV2Input, ...option) (*ListObjectsV2Output, error) {
	return nil, aws.ErrLeftOut
}
