package workflows

import (
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// SendMail sends a mail, and retries for models.MailLife until the mail server accepts it. The workflow's input and history
// contain neither the address nor the link.
func SendMail(ctx workflow.Context, s models.MailStart) error {
	return workflow.ExecuteActivity(mailOptions(ctx), ActivitySendMail, s).Get(ctx, nil)
}
