package mail

import (
	"context"
	"errors"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/waft-ota/waft/models"
)

const (
	// sendTimeout bounds a connection to the mail server.
	sendTimeout = 20 * time.Second
	// atOnce is how many connections a process has open. Mail servers refuse clients that open many.
	atOnce = 4
)

// Client sends mails. It is safe for concurrent use.
type Client struct {
	settings Settings
	// baseURL is the URL of Waft for people, without a slash at its end. Links begin with it.
	baseURL string
	places  chan struct{}
}

// NewClient returns a client of the mail server. It connects for each mail.
func NewClient(s Settings, baseURL string) *Client {
	return &Client{settings: s, baseURL: baseURL, places: make(chan struct{}, atOnce)}
}

// Send gives the mail of a job to the server. An error is unavailable when the server may take the mail later, and invalid when it
// refuses the mail for good. Its text has neither the address nor what the server said, which may quote the mail.
func (c *Client) Send(ctx context.Context, j models.MailJob) error {
	select {
	case c.places <- struct{}{}:
		defer func() { <-c.places }()
	case <-ctx.Done():
		return ctx.Err()
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := errors.Join(msg.From(c.settings.From), msg.To(j.To)); err != nil {
		return models.Errorf(models.CodeInvalid, "the mail has an address that cannot be written to")
	}
	subject, text := render(j, c.baseURL)
	msg.Subject(subject)
	msg.SetGenHeader(gomail.Header("Auto-Submitted"), "auto-generated") // RFC 3834: no out-of-office replies
	msg.SetBodyString(gomail.TypeTextPlain, text)
	client, err := gomail.NewClient(c.settings.Host, c.options()...)
	if err != nil {
		return err
	}
	return failure(client.DialAndSendWithContext(ctx, msg))
}

func (c *Client) options() []gomail.Option {
	policy := gomail.TLSMandatory
	if c.settings.Plain {
		policy = gomail.NoTLS
	}
	options := []gomail.Option{gomail.WithTLSPolicy(policy), gomail.WithPort(c.settings.Port), gomail.WithTimeout(sendTimeout)}
	if c.settings.Implicit {
		options = append(options, gomail.WithSSL())
	}
	if c.settings.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(c.settings.User), gomail.WithPassword(c.settings.Password))
	}
	return options
}

// failure returns the part of an error that may be logged.
func failure(err error) error {
	if err == nil {
		return nil
	}
	var refused *gomail.SendError
	if !errors.As(err, &refused) || refused.ErrorCode() == 0 {
		return models.Errorf(models.CodeUnavailable, "the mail server cannot be reached, offers no TLS, or refuses the password")
	}
	if refused.IsTemp() {
		return models.Errorf(models.CodeUnavailable, "the mail server does not accept the mail now: it responded with %d", refused.ErrorCode())
	}
	return models.Errorf(models.CodeInvalid, "the mail server refused the mail with %d", refused.ErrorCode())
}
