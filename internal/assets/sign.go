package assets

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/models"
)

// SignedURL returns a URL that serves a project's file in the given encoding and content type directly from the bucket,
// valid for life. It does not check that the file exists.
func (b *Bucket) SignedURL(
	ctx context.Context, projectID int64, md5 string, e models.Encoding, contentType string, life time.Duration,
) (string, error) {
	key, err := objectKey(projectID, md5)
	if err != nil {
		return "", err
	}
	signed, err := b.bucket.SignedURL(ctx, key+suffixes[e], &blob.SignedURLOptions{
		Method: http.MethodGet, Expiry: life, BeforeSign: servedAs(contentType, e),
	})
	if err != nil {
		return "", unavailable(err)
	}
	return signed, nil
}

// servedAs makes S3 send the same headers as Waft. Other buckets send the headers that were stored with the object.
func servedAs(contentType string, e models.Encoding) func(as func(any) bool) error {
	return func(as func(any) bool) error {
		var in *s3.GetObjectInput
		if !as(&in) {
			return nil
		}
		in.ResponseContentType = aws.String(contentType)
		in.ResponseCacheControl = aws.String(cacheForEver)
		if e != models.Identity {
			in.ResponseContentEncoding = aws.String(string(e))
		}
		return nil
	}
}

// CanSign returns an error if the bucket cannot sign URLs.
func (b *Bucket) CanSign(ctx context.Context) error {
	options := &blob.SignedURLOptions{Method: http.MethodGet, Expiry: time.Minute}
	_, err := b.bucket.SignedURL(ctx, "projects/0/00/00000000000000000000000000000000", options)
	if gcerrors.Code(err) == gcerrors.Unimplemented {
		return errors.New("this kind of bucket, or its credentials, cannot sign URLs")
	}
	if err != nil {
		return fmt.Errorf("the asset bucket cannot sign URLs: %w", err)
	}
	return nil
}
