package models

import "time"

// MailKind is what a mail is about.
type MailKind string

const (
	// MailInvitation has the link of an invitation.
	MailInvitation MailKind = "invitation"
	// MailPasswordReset has the link by which a person sets a new password.
	MailPasswordReset MailKind = "password_reset"
)

const (
	// PasswordResetLife is how long the link of a password reset works after it was sent.
	PasswordResetLife = time.Hour
	// MailLife is how long Waft tries to send a mail.
	MailLife = 24 * time.Hour
	// MailWindow is the time in which mails are counted.
	MailWindow = time.Hour
	// MaxResetMails is how many mails about a new password an address gets within MailWindow.
	MaxResetMails = 3
	// MaxInvitationMails is how many mails about invitations an address gets within MailWindow.
	MaxInvitationMails = 5
	// MaxProjectMails is how many mails about invitations a project has sent within MailWindow.
	MaxProjectMails = 100
)

// Mail is a mail that Waft sends or has sent. It has neither a text nor a token: what sends it makes the token.
type Mail struct {
	ID        int64
	Kind      MailKind
	EmailKey  string
	ProjectID int64 // 0 for a mail that is of no project
	// SubjectID is the id of the invitation or of the password reset.
	SubjectID int64
	CreatedAt time.Time
	// SentAt is when the mail server took it, nil before.
	SentAt *time.Time
}

func (Mail) TableName() string { return "mails" }

// MailStart is the payload of OutboxMailSend.
type MailStart struct {
	MailID     int64  `json:"mailId"`
	WorkflowID string `json:"workflowId"`
}

// MailJob is a mail to send now. Its token is in no record and no history.
type MailJob struct {
	Kind MailKind
	// To is the address as it was written.
	To string
	// Project is the slug of the project of an invitation, else "".
	Project string
	Token   SecretToken
}

// ForgottenPassword is the payload of OutboxPasswordForgotten. There may be no account with the address.
type ForgottenPassword struct {
	Email string `json:"email"`
}

// Validate bounds the address. It does not say whether such an account may exist.
func (f ForgottenPassword) Validate() error {
	var p Problems
	checkRequiredText(&p, "email", f.Email, 2*maxEmailBytes)
	return p.Err()
}

// PasswordReset lets the holder of its token set a password, once.
type PasswordReset struct {
	ID, UserID int64
	// TokenHash is nil until the mail is sent.
	TokenHash []byte
	CreatedAt time.Time
	// ExpiresAt is when it is deleted; MailLife after its creation until the mail is sent.
	ExpiresAt time.Time
}

func (PasswordReset) TableName() string { return "password_resets" }
