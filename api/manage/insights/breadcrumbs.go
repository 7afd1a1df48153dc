package insights

import (
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Breadcrumb is something that happened in an app before an error or crash.
type Breadcrumb struct {
	Timestamp *rest.Time             `json:"timestamp" nullable:"true" doc:"Time by the device's clock, which may be wrong; null if the device did not send it."`
	Category  string                 `json:"category" doc:"Kind of the breadcrumb, such as navigation or ui.tap; empty if the device did not send it."`
	Message   string                 `json:"message"`
	Level     models.BreadcrumbLevel `json:"level" enum:"debug,info,warning,error"`
	Data      map[string]string      `json:"data"`
}

func breadcrumb(b models.Breadcrumb) Breadcrumb {
	record := Breadcrumb{Category: b.Category, Message: b.Message, Level: b.Level, Data: b.Data.Map()}
	if !b.At.IsZero() {
		record.Timestamp = &rest.Time{Time: b.At}
	}
	return record
}
