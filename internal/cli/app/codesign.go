package app

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Codesign returns the commands for the key that signs a project's releases.
func Codesign(s *command.Settings) *cobra.Command {
	return s.Group("codesign", "Generate, show, check, rotate and delete the key that signs the project's releases",
		generateKey(s), showKey(s), checkKey(s), rotateKey(s), deleteKey(s))
}

// keyOptions are the flags of the commands that make a key.
type keyOptions struct {
	keys, certs, privateKey, name, keyID string
	years                                int
}

func (o *keyOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.keys, "keys", "keys", "folder for the private key; Git ignores it")
	f.StringVar(&o.certs, "certs", "certs", "folder for the certificate, which is part of the app")
	f.StringVar(&o.privateKey, "private-key", "", "file with an RSA key to use; default: a new key")
	f.StringVar(&o.name, "name", "", "common name in the certificate; default: the project's slug")
	f.StringVar(&o.keyID, "key-id", "main", "key ID in the signatures and in the app's codeSigningMetadata")
	f.IntVar(&o.years, "years", 10, "validity of the certificate in years, 1 to 30")
}

func generateKey(s *command.Settings) *cobra.Command {
	var o keyOptions
	cmd := s.Calling("generate", "Generate a key and its certificate, and sign the project's releases with it", func(c command.Call) error {
		signing, err := c.API.GetCodeSigningWithResponse(c.Context(), &client.GetCodeSigningParams{})
		if err != nil {
			return err
		}
		if signing.JSON200 != nil {
			return command.Usagef("the project signs already, with a certificate that expires at %s; replace it with `waft codesign rotate`",
				signing.JSON200.NotAfter.UTC().Format(command.Stamp))
		}
		return o.make(c, "")
	})
	cmd.Long = "generate makes an RSA key and a certificate like `npx expo-updates codesigning:generate`, and uploads both.\n" +
		"The server stores the key encrypted. Keep the file with the private key in a safe place: the server never returns it.\n" +
		"Apps without the certificate still get updates, unsigned. Run `waft init` to add the certificate to the app, and build it again."
	o.register(cmd)
	return cmd
}

func rotateKey(s *command.Settings) *cobra.Command {
	var o keyOptions
	cmd := s.Calling("rotate", "Replace the key or the certificate that the project signs with", func(c command.Call) error {
		question := "Installed builds with the present certificate refuse updates that another key signs, " +
			"until their users have a new build. Replace the key?"
		if o.privateKey != "" {
			question = "Installed builds refuse updates unless " + o.privateKey + " is the key that they know. Replace the certificate?"
		}
		return o.make(c, question)
	})
	cmd.Long = "rotate makes another key and certificate. The server signs with one key, so builds with the previous certificate\n" +
		"stop getting updates: release a build with the new certificate, and rotate when few devices run the old one.\n" +
		"With --private-key and the present key, only the certificate is new, with a later end. Installed builds then keep getting\n" +
		"updates, until the end of the certificate that they contain."
	cmd.Example = "  waft codesign rotate --private-key keys/private-key.pem\n  waft codesign rotate --keys keys-2027 --yes"
	o.register(cmd)
	return cmd
}

// make makes a certificate, and a key unless one is given, uploads them, and writes the certificate. It asks the question first,
// if there is one, and before it replaces a certificate.
func (o *keyOptions) make(c command.Call, question string) error {
	if err := command.NotEmpty(c.Command, "keys", "certs", "private-key", "key-id"); err != nil {
		return err
	}
	if o.years < 1 || o.years > 30 {
		return command.Usagef("--years must be from 1 to 30, not %d", o.years)
	}
	certificate := filepath.Join(o.certs, certificateFile)
	if _, err := os.Stat(certificate); err == nil {
		question = strings.TrimPrefix(question+" The new certificate replaces "+certificate+". Continue?", " ")
	}
	if question != "" {
		if err := c.Confirm(question); err != nil {
			return err
		}
	}
	if o.name == "" {
		o.name = c.Project
	}
	pair, err := o.pair()
	if err != nil {
		return err
	}
	if o.privateKey == "" {
		if err := pair.writeKey(o.keys); err != nil {
			return err
		}
		o.privateKey = filepath.Join(o.keys, privateKeyFile)
	}
	res, err := c.API.PutCodeSigningWithResponse(c.Context(), &client.PutCodeSigningParams{}, client.PutSigningBody{
		PrivateKeyPem: string(pair.private), CertificatePem: string(pair.certificate), KeyID: &o.keyID,
	})
	if err != nil {
		return fmt.Errorf("%w\nThe key is in %s; upload it with `%s --private-key %s`", err, o.privateKey, c.CommandPath(), o.privateKey)
	}
	// The app keeps the certificate that the server signs with, so the file changes last.
	if err := writeFile(certificate, pair.certificate); err != nil {
		return fmt.Errorf("%w\nThe project signs with the new certificate; put it into the app with `waft init`", err)
	}
	return command.Tell(c, func(k client.CodeSigning) []string {
		return append(signingLines(k), fmt.Sprintf("the private key is in %s: keep it in a safe place, outside of Git", o.privateKey),
			fmt.Sprintf("the certificate is in %s: run `waft init`, then build the app again", certificate))
	}).Print(res.Body, res.JSON200)
}

func (o *keyOptions) pair() (*keyPair, error) {
	from := time.Now().Add(-time.Minute).UTC().Truncate(time.Second) // clocks differ a little
	if o.privateKey == "" {
		return newKeyPair(nil, o.name, from, o.years)
	}
	key, err := readKey(o.privateKey)
	if err != nil {
		return nil, err
	}
	return newKeyPair(key, o.name, from, o.years)
}

func signingLines(k client.CodeSigning) []string {
	return []string{
		fmt.Sprintf("the project signs as %s (%s) until %s", k.KeyID, k.Algorithm, k.NotAfter.UTC().Format(command.Stamp)),
		"SHA-256 of the certificate: " + k.Fingerprint,
	}
}

func showKey(s *command.Settings) *cobra.Command {
	return s.Calling("show", "Show the certificate that the project signs with", func(c command.Call) error {
		res, err := c.API.GetCodeSigningWithResponse(c.Context(), &client.GetCodeSigningParams{})
		if err != nil {
			return err
		}
		if res.JSON200 == nil {
			return command.NotFoundf("the project does not sign; make a key with `waft codesign generate`")
		}
		return command.Tell(c, signingLines).Print(res.Body, res.JSON200)
	})
}

func deleteKey(s *command.Settings) *cobra.Command {
	return s.Calling("delete", "Delete the key that the project signs with", func(c command.Call) error {
		if err := c.Confirm("Apps with a certificate stop getting updates. Delete the key?"); err != nil {
			return err
		}
		_, err := c.API.DeleteCodeSigningWithResponse(c.Context(), &client.DeleteCodeSigningParams{})
		return command.Done(c, err, "the project does not sign any more")
	})
}

func checkKey(s *command.Settings) *cobra.Command {
	var dir string
	cmd := s.Calling("check", "Check that the app's certificate fits the project's key, and verify a signature", func(c command.Call) error {
		d := &doctor{Settings: s, http: &http.Client{Timeout: doctorTimeout}, now: time.Now, dir: dir, api: c.API}
		a, err := openApp(c.Context(), dir)
		if err != nil {
			return withoutApp(err, dir)
		}
		signing, err := c.API.GetCodeSigningWithResponse(c.Context(), &client.GetCodeSigningParams{})
		if err != nil {
			return err
		}
		d.signing, d.signingKnown = signing.JSON200, true
		if d.signing == nil && textAt(a.config, "updates", "codeSigningCertificate") == "" {
			return command.NotFoundf("the project does not sign, and the app does not expect it; make a key with `waft codesign generate`")
		}
		return d.checkSigning(c, a)
	})
	cmd.Flags().StringVar(&dir, "app", ".", "folder of the Expo app")
	return cmd
}

// checkSigning runs the checks of `waft doctor` that concern signatures.
func (d *doctor) checkSigning(c command.Call, a *expoApp) error {
	certificate, own := d.checkCertificate(a), settingsOf(a.config)
	if certificate != nil && own.url != "" && own.channel != "" {
		for _, platform := range platformsOf(a.config) {
			if runtime, err := runtimeVersion(c.Context(), a, platform); err == nil {
				d.checkUpdates(c.Context(), appQuestion{a, own, platform, runtime, certificate})
			}
		}
	}
	if err := d.print(c.Command); err != nil {
		return err
	}
	return d.err()
}
