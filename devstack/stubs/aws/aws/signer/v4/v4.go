// Package v4 stands for the signer of the Temporal server's requests to
// Elasticsearch in AWS. The embedded server does not make such requests.
package v4

import (
	"context"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

type Signer struct{}

func NewSigner() *Signer { return &Signer{} }

// SignHTTP fails with aws.ErrLeftOut.
func (*Signer) SignHTTP(context.Context, aws.Credentials, *http.Request, string, string, string, time.Time) error {
	return aws.ErrLeftOut
}
