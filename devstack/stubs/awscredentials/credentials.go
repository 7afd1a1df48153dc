// Package credentials stands for the AWS SDK's providers of credentials. See
// package aws.
package credentials

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
)

type StaticCredentialsProvider struct{}

func NewStaticCredentialsProvider(_, _, _ string) StaticCredentialsProvider {
	return StaticCredentialsProvider{}
}

// Retrieve fails with aws.ErrLeftOut.
func (StaticCredentialsProvider) Retrieve(context.Context) (aws.Credentials, error) {
	return aws.Credentials{}, aws.ErrLeftOut
}
