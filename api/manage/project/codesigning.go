package project

import (
	"context"
	"net/http"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// SigningKeys stores the code signing keys of projects.
type SigningKeys interface {
	// PutSigningKey checks the key and replaces the one before it.
	PutSigningKey(ctx context.Context, projectID int64, actor models.Actor, n models.NewSigningKey) (models.SigningKey, error)
	SigningKey(ctx context.Context, projectID int64) (models.SigningKey, error)
	DeleteSigningKey(ctx context.Context, projectID int64, actor models.Actor) error
}

var (
	putSigningDoc = access.Sensitive(rest.Doc(tagSigning, "putCodeSigning", "Set the code signing key",
		"An RSA key and its certificate, as `npx expo-updates codesigning:generate` makes them. The key is stored encrypted and never returned.\n\n"+
			"A self-signed certificate is embedded in the app. Any other is the leaf of a chain whose root is "+
			"embedded in the app: then every signed "+
			"multipart answer has the chain in a part certificate_chain, and the keyid that a client expects is not "+
			"compared, because it names the root."))
	getSigningDoc = rest.Doc(tagSigning, "getCodeSigning", "Get the code signing key",
		"The certificate and when it expires. After that, apps that expect a signature get no update.", http.StatusNotFound)
	deleteSigningDoc = access.Sensitive(rest.Doc(tagSigning, "deleteCodeSigning", "Delete the code signing key",
		"Apps that expect a signature get no update from then on.", http.StatusNotFound))
)

type putSigningBody struct {
	PrivateKeyPEM  string `json:"privateKeyPem" maxLength:"16384" doc:"RSA key of 2048 to 8192 bits, PKCS#8 or PKCS#1, without a password."`
	CertificatePEM string `json:"certificatePem" maxLength:"65536" doc:"Its certificate: valid now, key usage digitalSignature, extended key usage codeSigning. Unless it is self-signed, its intermediates follow in order, up to four, each a CA; the root does not."`
	KeyID          string `json:"keyId,omitempty" doc:"As in the app's codeSigningMetadata; main when absent."`
}

func (b putSigningBody) Model() models.NewSigningKey { return models.NewSigningKey(b) }

func (putSigningBody) Example() any {
	return putSigningBody{
		PrivateKeyPEM:  "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
		CertificatePEM: exampleCertificate, KeyID: models.DefaultSigningKeyID,
	}
}

func (h *Handlers) deleteSigning(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, h.SigningKeys.DeleteSigningKey(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx))
}

const exampleCertificate = "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n"

// CodeSigning is the certificate of a project's code signing key.
type CodeSigning struct {
	KeyID          string    `json:"keyId" doc:"keyid of the signatures."`
	Algorithm      string    `json:"algorithm" enum:"rsa-v1_5-sha256" doc:"alg of the signatures."`
	CertificatePEM string    `json:"certificatePem" doc:"The certificate, and its intermediates."`
	Fingerprint    string    `json:"fingerprint" doc:"SHA-256 of the certificate in hex."`
	NotBefore      rest.Time `json:"notBefore"`
	NotAfter       rest.Time `json:"notAfter" doc:"When the certificate expires."`
	CreatedAt      rest.Time `json:"createdAt"`
	UpdatedAt      rest.Time `json:"updatedAt"`
}

// signingAlgorithm is the only one that clients support.
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
