package workflows

import (
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// SendMail sends a mail, and tries again for models.MailLife while the mail server does not take it. Neither its input nor its history
// has the address or the link.
func SendMail(ctx workflow.Context, s models.MailStart) error {
	return workflow.ExecuteActivity(mailOptions(ctx), ActivitySendMail, s).Get(ctx, nil)
}
