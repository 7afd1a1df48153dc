// Package types has the fields of responses that the Temporal server's S3 archiver reads.
package types

type (
	CommonPrefix struct{ Prefix *string }
	Object       struct{ Key *string }

	NoSuchBucket struct{}
	NoSuchKey    struct{}
)

func (*NoSuchBucket) Error() string { return "NoSuchBucket" }

func (*NoSuchKey) Error() string { return "NoSuchKey" }
