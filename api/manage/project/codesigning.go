package project

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// SigningKeys stores the code signing keys of projects.
type SigningKeys interface {
	// PutSigningKey checks the key and replaces the previous one.
	PutSigningKey(ctx context.Context, projectID int64, actor models.Actor, n models.NewSigningKey) (models.SigningKey, error)
	SigningKey(ctx context.Context, projectID int64) (models.SigningKey, error)
	DeleteSigningKey(ctx context.Context, projectID int64, actor models.Actor) error
}

var (
	putSigningDoc = access.Sensitive(rest.Doc(tagSigning, "putCodeSigning", "Set the code signing key",
		"An RSA key and its certificate, as `npx expo-updates codesigning:generate` creates them. Waft stores the key "+
			"encrypted and never returns it.\n\nA self-signed certificate is embedded in the app. Any other certificate is "+
			"the leaf of a chain whose root is embedded in the app. Waft then adds the chain to every signed multipart "+
			"response, in a part named certificate_chain. It does not compare the keyid that a client expects, because that "+
			"names the root."))
	getSigningDoc = withoutKey(rest.Doc(tagSigning, "getCodeSigning", "Get the code signing key",
		"The certificate and its expiry time. After that time, apps that expect a signature stop getting updates. A project "+
			"without a key is the usual case and not an error: the response is 204."))
	deleteSigningDoc = access.Sensitive(rest.Doc(tagSigning, "deleteCodeSigning", "Delete the code signing key",
		"From then on, apps that expect a signature stop getting updates.", http.StatusNotFound))
)

type putSigningBody struct {
	PrivateKeyPEM  string `json:"privateKeyPem" maxLength:"16384" doc:"RSA key of 2048 to 8192 bits, PKCS#8 or PKCS#1, without a password."`
	CertificatePEM string `json:"certificatePem" maxLength:"65536" doc:"Certificate of the key: currently valid, with key usage digitalSignature and extended key usage codeSigning. Unless it is self-signed, up to four intermediate CA certificates follow in order, without the root."`
	KeyID          string `json:"keyId,omitempty" doc:"Key ID from the app's codeSigningMetadata; main by default."`
}

func (b putSigningBody) Model() models.NewSigningKey { return models.NewSigningKey(b) }

func (putSigningBody) Example() any {
	return putSigningBody{
		PrivateKeyPEM:  "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
		CertificatePEM: exampleCertificate, KeyID: models.DefaultSigningKeyID,
	}
}

// withoutKey documents the response of a project without a signing key.
func withoutKey(op huma.Operation) huma.Operation {
	op.Responses = map[string]*huma.Response{"204": {Description: "The project does not have a code signing key."}}
	return op
}

type signingOutput struct {
	Status int
	Body   CodeSigning
}

func (h *Handlers) getSigning(ctx context.Context, _ *struct{}) (*signingOutput, error) {
	k, err := h.SigningKeys.SigningKey(ctx, rest.ProjectOf(ctx))
	if models.CodeOf(err) == models.CodeNotFound {
		return &signingOutput{Status: http.StatusNoContent}, nil
	}
	return &signingOutput{http.StatusOK, signingRecord(k)}, err
}

func (h *Handlers) deleteSigning(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, h.SigningKeys.DeleteSigningKey(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx))
}

const exampleCertificate = "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n"

// CodeSigning is the certificate of a project's code signing key.
type CodeSigning struct {
	KeyID          string    `json:"keyId" doc:"Value of keyid in the signatures."`
	Algorithm      string    `json:"algorithm" enum:"rsa-v1_5-sha256" doc:"Value of alg in the signatures."`
	CertificatePEM string    `json:"certificatePem" doc:"Certificate, followed by its intermediates."`
	Fingerprint    string    `json:"fingerprint" doc:"SHA-256 of the certificate in hex."`
	NotBefore      rest.Time `json:"notBefore"`
	NotAfter       rest.Time `json:"notAfter" doc:"Expiry time of the certificate."`
	CreatedAt      rest.Time `json:"createdAt"`
	UpdatedAt      rest.Time `json:"updatedAt"`
}

// signingAlgorithm is the only algorithm that clients support.
const signingAlgorithm = "rsa-v1_5-sha256"

func signingRecord(k models.SigningKey) CodeSigning {
	return CodeSigning{
		KeyID: k.KeyID, Algorithm: signingAlgorithm, CertificatePEM: k.CertificatePEM, Fingerprint: k.Fingerprint,
		NotBefore: rest.Time{Time: k.NotBefore}, NotAfter: rest.Time{Time: k.NotAfter}, CreatedAt: rest.Time{Time: k.CreatedAt},
		UpdatedAt: rest.Time{Time: k.UpdatedAt},
	}
}

func (CodeSigning) Example() any {
	return CodeSigning{
		KeyID: models.DefaultSigningKeyID, Algorithm: signingAlgorithm, CertificatePEM: exampleCertificate,
		Fingerprint: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef", NotBefore: rest.ExampleTime,
		NotAfter: rest.Time{Time: rest.ExampleTime.AddDate(10, 0, 0)}, CreatedAt: rest.ExampleTime, UpdatedAt: rest.ExampleTime,
	}
}
