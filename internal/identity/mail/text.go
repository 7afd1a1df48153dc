package mail

import (
	"fmt"

	"github.com/waft-ota/waft/models"
)

// render returns the subject and the text of a mail. Neither contains text typed by a user, because otherwise a user could send any
// text to strangers through Waft.
func render(j models.MailJob, baseURL string) (subject, text string) {
	switch j.Kind {
	case models.MailPasswordReset:
		return "Your new password for Waft", fmt.Sprintf(`Somebody asked for a new password for your account of Waft at %[1]s.
Choose it on this page. The link works once, for an hour:

%[1]s/app/reset#%[2]s

Choosing a password ends all sessions of the account, and removes its passkeys and linked identities.
If you did not ask for it, ignore this mail: your password stays as it is.
`, baseURL, j.Token.Reveal())
	default:
		return "Your invitation to " + j.Project + " in Waft", fmt.Sprintf(`You are invited to the project %[3]s of Waft at %[1]s.
Accept the invitation on this page. The link works once, for 72 hours:

%[1]s/app/invite#%[2]s

Do not pass this mail on: the link signs its holder in as you. If you do not know the project, ignore this mail.
`, baseURL, j.Token.Reveal(), j.Project)
	}
}
