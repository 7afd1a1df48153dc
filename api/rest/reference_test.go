package rest

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/site"
	"github.com/waft-ota/waft/models"
)

var update = flag.Bool("update", false, "write docs/reference/error-codes.md")

// explained gives each code what it means, and what its receiver can do.
var explained = map[models.ErrorCode][2]string{
	models.CodeInvalid: {
		"The request has a field, parameter or header that is not valid, or the body is not valid JSON.",
		"Correct the fields that `errors` names. The same request fails again.",
	},
	models.CodeUnauthenticated: {
		"The request has neither a key nor a session, or its key or session is unknown, revoked or expired.",
		"Send a valid API key as `Authorization: Bearer waft_…`, or sign in again.",
	},
	models.CodeForbidden: {
		"The key or person is known, but its role, project, channels or origin do not permit the call. `detail` names the reason.",
		"Use a key with the role that the operation's documentation names.",
	},
	models.CodeReauthenticate: {
		"The call is sensitive, and the person signed in too long ago. Keys never get this code.",
		"Sign in again, then repeat the call.",
	},
	models.CodeNotFound: {
		"The record or path does not exist, or it belongs to a project that the caller may not see.",
		"Check the ID and the project in `X-Project`.",
	},
	codeMethodNotAllowed: {
		"The path exists, but not with this method. The header `Allow` lists the methods.",
		"Use a method of the list.",
	},
	models.CodeNotAcceptable: {
		"The request accepts no media type that the response could have.",
		"Send an `Accept` header with a type that the operation's documentation names, or none.",
	},
	models.CodeQuotaExceeded: {
		"The project has as many records or bytes as its quota permits.",
		"Delete what is not needed, or ask the operator to raise the [quota](settings.md#quotas) that `detail` names.",
	},
	models.CodeAlreadyExists: {
		"A record with this name, key or content exists.",
		"Choose another name, or use the existing record.",
	},
	models.CodeInUse: {
		"The record is used by others, so it cannot be deleted or changed in this way.",
		"Change the records that `detail` names first.",
	},
	models.CodePolicyLocked: {
		"Rollouts under the policy are running or paused, so its rules are fixed.",
		"Wait for the rollouts, end them, or create another policy.",
	},
	models.CodeApprovalPending: {
		"A channel that the call affects was protected while the call was made, so the call needs approval.",
		"Repeat the call: it then waits for approval with the status 202.",
	},
	models.CodeRolloutInProgress: {
		"A rollout of the release, branch or project is running or paused.",
		"Complete or cancel that rollout first.",
	},
	models.CodeGoalDisabled: {
		"The rollback would return to a release that is disabled. `goal` describes the release.",
		"Choose another release, or send `allowDisabled: true`.",
	},
	models.CodeInvalidTransition: {
		"The record's state does not permit the call, such as resuming a rollout that has ended.",
		"Fetch the record, and decide by its state.",
	},
	models.CodeIdempotencyMismatch: {
		"The `Idempotency-Key` was used for a request with another body.",
		"Use a new key for each new request.",
	},
	models.CodeFilesMissing: {
		"The upload names files by SHA-256 that the project does not have.",
		"Get their list from `POST /v1/ota/builds/check`, send them, and upload again. `waft publish` does so.",
	},
	models.CodePreconditionFailed: {
		"The record has changed since you read the ETag in `If-Match`.",
		"Fetch the record, decide again, and send the new ETag.",
	},
	models.CodePreconditionNeeded: {
		"The operation requires `If-Match`, so that a change which you have not seen is not lost.",
		"Send the ETag of the record that you changed.",
	},
	models.CodeTooLarge: {
		"The body, file or report is larger than its limit.",
		"Send less, or ask the operator to raise the [limit](settings.md#sizes).",
	},
	models.CodeUnsupportedMedia: {
		"The body has another media type or encoding than the operation takes.",
		"Send the `Content-Type` or encoding that `detail` names.",
	},
	CodeNoSuchRange: {
		"The `Range` of a download is outside the file, or the offset of an upload is not where the upload ended.",
		"For an upload, ask for its offset with `HEAD`, and continue there.",
	},
	models.CodeRateLimited: {
		"The address, network, device or key has sent too much.",
		"Wait for the seconds in the header `Retry-After`, then repeat the request.",
	},
	codeClientClosed: {
		"The client closed the connection before the response. Only logs and metrics have this code.",
		"Nothing: no client receives it.",
	},
	models.CodeInternal: {
		"Waft has a defect, or an engine returned an error that Waft does not know.",
		"Look for `requestId` in the server's log, and report the error with it.",
	},
	models.CodeUnavailable: {
		"An engine or the worker does not respond; `unavailable` names it if only one does not. " +
			"Unless `detail` says otherwise, the request did not have an effect.",
		"Repeat the request after the seconds in the header `Retry-After`, with the same `Idempotency-Key`.",
	},
}

// TestReference compares docs/reference/error-codes.md with the codes. -update writes it.
func TestReference(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, slices.Collect(maps.Keys(problemKinds)), slices.Collect(maps.Keys(explained)), "every code is explained")
	site.CompareGenerated(t, "../../docs/reference/error-codes.md", codesPage(), *update)
}

func codesPage() string {
	var b strings.Builder
	b.WriteString("# Error codes\n\n" +
		"An error of the API is a [problem](http.md#errors): JSON with a stable `code`. Base decisions of programs on the code. Statuses are\n" +
		"shared by several codes, and `detail` is for people and may change.\n\n" +
		"`waft` prints code and detail, and ends with an [exit code](cli.md#exit-codes) that depends on the code.\n\n" +
		"| Status | Code | Meaning | Remedy |\n|---|---|---|---|\n")
	codes := slices.SortedFunc(maps.Keys(problemKinds), func(x, y models.ErrorCode) int {
		return cmp.Or(cmp.Compare(problemKinds[x].status, problemKinds[y].status), cmp.Compare(x, y))
	})
	for _, code := range codes {
		text := explained[code]
		fmt.Fprintf(&b, "| %d | `%s` | %s | %s |\n", problemKinds[code].status, code, text[0], text[1])
	}
	return b.String()
}
