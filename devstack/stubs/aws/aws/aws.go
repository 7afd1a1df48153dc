// Package aws stands for the core of the AWS SDK, which the Temporal server links
// for an archiver in S3 and for signing requests to Elasticsearch. The embedded
// server uses neither.
package aws

import (
	"context"
	"errors"
)

// ErrLeftOut is the error of every call.
var ErrLeftOut = errors.New("AWS is left out of the embedded Temporal server")

type (
	ClientLogMode uint64

	Config struct{ Credentials CredentialsProvider }

	Credentials struct{ AccessKeyID, SecretAccessKey, SessionToken string }

	CredentialsProvider interface {
		Retrieve(context.Context) (Credentials, error)
	}

	Retryer interface{ IsErrorRetryable(error) bool }
)

func String(v string) *string { return &v }

func Int32(v int32) *int32 { return &v }
