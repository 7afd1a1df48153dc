package auth

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var (
	forgotPasswordDoc = rest.Doc(tagSignIn, "forgotPassword", "Request a link to set a new password",
		"Waft mails a link to the address if it has an account, at most three times per hour. The link works once, for one "+
			"hour. The response is the same for every address. Without WAFT_SMTP_URL, the operator runs `waftd "+
			"reset-password` instead.",
		http.StatusAccepted, http.StatusForbidden)
	resetPasswordDoc = rest.Doc(tagSignIn, "resetPassword", "Set a new password with a mailed link",
		"Ends all sessions of the account, removes its passkeys and linked identities, and invalidates its other links. Sign "+
			"in with the new password afterwards. The link keeps working if the password is refused.", http.StatusNoContent, http.StatusForbidden)
)

var errNoMail = models.Errorf(models.CodeForbidden,
	"this server does not send mail: ask its operator to run `waftd reset-password`, or to set WAFT_SMTP_URL")

type forgotPasswordBody struct {
	Email string `json:"email" doc:"Email address of the account."`
}

func (b forgotPasswordBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.ForgottenPassword(b).Validate())
}

func (forgotPasswordBody) Example() any { return forgotPasswordBody{Email: exampleUser.Email} }

// forgotPassword does not look up the account; see People.ForgetPassword.
func (h *Handlers) forgotPassword(ctx context.Context, in *rest.BodyInput[forgotPasswordBody]) (*struct{}, error) {
	if err := h.mailsPasswords(); err != nil {
		return nil, err
	}
	c := rest.CallOf(ctx)
	if _, err := h.forgotten.beginUnknown(in.Body.Email, access.BrowserOf(c).From.Network); err != nil {
		return nil, err
	}
	return nil, h.People.ForgetPassword(ctx, c.ID, in.Body.Email)
}

// mailsPasswords returns an error if the server does not mail links to set passwords.
func (h *Handlers) mailsPasswords() error {
	if h.SSOOnly {
		return errNoPasswords
	}
	if !h.ByMail {
		return errNoMail
	}
	return nil
}

type resetPasswordBody struct {
	Token    string `json:"token" doc:"Token: the part of the mailed link after the #."`
	Password string `json:"password" doc:"New password of at least 12 characters."`
}

func (b resetPasswordBody) Resolve(huma.Context) []error {
	return newPasswordErrors("password", b.Password)
}

func (resetPasswordBody) Example() any {
	return resetPasswordBody{Token: exampleToken, Password: "staple battery horse correct"}
}

func (h *Handlers) resetPassword(ctx context.Context, in *rest.BodyInput[resetPasswordBody]) (*struct{}, error) {
	if err := h.mailsPasswords(); err != nil {
		return nil, err
	}
	c := rest.CallOf(ctx)
	if err := h.Limits.UnknownKeys.Take(access.BrowserOf(c).From); err != nil {
		return nil, err
	}
	token, ok := models.ParseSecretToken(in.Body.Token)
	if !ok {
		token = models.NewSecretToken() // a token that does not belong to any link
	}
	// The link is checked before the password is hashed, which is expensive.
	if err := h.People.CheckResetLink(ctx, token); err != nil {
		return nil, err
	}
	hash, err := h.Passwords.Hash(ctx, in.Body.Password)
	if err != nil {
		return nil, err
	}
	return nil, h.People.ResetPasswordByLink(ctx, c.ID, token, hash)
}
