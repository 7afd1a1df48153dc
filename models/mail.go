package models

import "time"

// MailKind is the kind of a mail.
type MailKind string

const (
	// MailInvitation is a mail with the link of an invitation.
	MailInvitation MailKind = "invitation"
	// MailPasswordReset is a mail with the link to set a new password.
	MailPasswordReset MailKind = "password_reset"
)

const (
	// PasswordResetLife is how long the link of a password reset works after it was sent.
	PasswordResetLife = time.Hour
	// MailLife is how long Waft tries to send a mail.
	MailLife = 24 * time.Hour
	// MailWindow is the period for the following limits.
	MailWindow = time.Hour
	// MaxResetMails is the maximum number of password reset mails per address within MailWindow.
	MaxResetMails = 3
	// MaxInvitationMails is the maximum number of invitation mails per address within MailWindow.
	MaxInvitationMails = 5
	// MaxProjectMails is the maximum number of invitation mails per project within MailWindow.
	MaxProjectMails = 100
)

// Mail is a mail that Waft sends or has sent. It contains neither the text nor the token, which is created when the mail is sent.
type Mail struct {
	ID        int64
	Kind      MailKind
	EmailKey  string
	ProjectID int64 // 0 for a mail that does not belong to a project
	// SubjectID is the ID of the invitation or of the password reset.
	SubjectID int64
	CreatedAt time.Time
	// SentAt is the time when the mail server accepted the mail, nil before.
	SentAt *time.Time
}

func (Mail) TableName() string { return "mails" }

// MailStart is the payload of OutboxMailSend.
type MailStart struct {
	MailID     int64  `json:"mailId"`
	WorkflowID string `json:"workflowId"`
}

// MailJob is a mail to send now. Its token is never stored, neither in Postgres nor in the history of a workflow.
type MailJob struct {
	Kind MailKind
	// To is the address in its original spelling.
	To string
	// Project is the slug of the project of an invitation, otherwise "".
	Project string
	Token   SecretToken
}

// ForgottenPassword is the payload of OutboxPasswordForgotten. An account with the address may not exist.
type ForgottenPassword struct {
	Email string `json:"email"`
}

// Validate checks the length of the address. Its errors do not reveal whether such an account could exist.
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
	// ExpiresAt is the time of the deletion. Until the mail is sent, it is MailLife after the creation.
	ExpiresAt time.Time
}

func (PasswordReset) TableName() string { return "password_resets" }
