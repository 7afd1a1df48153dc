// Package config stands for the AWS SDK's reader of configuration. See package
// aws.
package config

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
)

type (
	LoadOptions     struct{}
	LoadOptionsFunc func(*LoadOptions) error
	EnvConfig       struct{ Credentials aws.Credentials }
)

// LoadDefaultConfig fails with aws.ErrLeftOut.
func LoadDefaultConfig(context.Context, ...LoadOptionsFunc) (aws.Config, error) {
	return aws.Config{}, aws.ErrLeftOut
}

// NewEnvConfig fails with aws.ErrLeftOut.
func NewEnvConfig() (EnvConfig, error) { return EnvConfig{}, aws.ErrLeftOut }

func WithRegion(string) LoadOptionsFunc { return nil }

func WithClientLogMode(aws.ClientLogMode) LoadOptionsFunc { return nil }
