package api

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
	"github.com/gin-gonic/gin"
)

// Gin keeps its mode, and huma its error type and the wording of its checks, in
// package variables. They are set once for the process, before anybody reads them.
func init() {
	gin.SetMode(gin.ReleaseMode)
	huma.ValidateStrictCasing = true  // "Name" is an unknown field where "name" is meant
	huma.DefaultArrayNullable = false // lists are never null
	validation.MsgUnexpectedProperty = "is not a known field"
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return refused(nil, status, message, errs)
	}
	huma.NewErrorWithContext = func(hctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		return refused(hctx, status, message, errs)
	}
}
