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

// SignedURL is where anybody gets a project's file in the given encoding from the
// bucket itself, without Waft, for the time that it lives. It says nothing of
// whether the file is there. contentType is what the file is to be served as.
func (b *Bucket) SignedURL(ctx context.Context, projectID int64, md5 string, e models.Encoding, contentType string, life time.Duration) (string, error) {
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

// servedAs makes S3 send the headers that Waft would send, whatever it knows of the
// object: one from before there were variants has another content type. Other
// buckets send what the object was stored with.
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

// CanSign reports why devices cannot be sent to the bucket itself.
func (b *Bucket) CanSign(ctx context.Context) error {
	_, err := b.bucket.SignedURL(ctx, "projects/0/00/00000000000000000000000000000000", &blob.SignedURLOptions{Method: http.MethodGet, Expiry: time.Minute})
	switch {
	case gcerrors.Code(err) == gcerrors.Unimplemented:
		return errors.New("this kind of bucket, or its credentials, cannot sign URLs")
	case err != nil:
		return fmt.Errorf("the asset bucket does not sign URLs: %w", err)
	default:
		return nil
	}
}
