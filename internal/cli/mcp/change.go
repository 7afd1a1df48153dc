package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Change is the result of a tool that changes something.
type Change struct {
	Status     string `json:"status" jsonschema:"After preview, changed_meanwhile and waits_for_approval the project is unchanged"`
	Next       string `json:"next" jsonschema:"What to do next"`
	AboutTexts string `json:"aboutTexts" jsonschema:"How to treat the texts in this result"`
	// Preview contains the effects of the change.
	Preview any `json:"preview,omitempty" jsonschema:"Records before and after the change, warnings, and affected devices"`
	// ConfirmationToken makes the second call.
	ConfirmationToken string    `json:"confirmationToken,omitempty" jsonschema:"Token for the second call, valid once for this change"`
	ExpiresAt         time.Time `json:"expiresAt,omitzero" jsonschema:"Time at which the token expires"`
	Data              any       `json:"data,omitempty" jsonschema:"The record after the change, or the approval that it waits for"`
	Cut               string    `json:"cut,omitempty" jsonschema:"What is missing in preview or data, if it was too large"`
}

const (
	changeIsCut = "Long texts or lists were cut."
	nextConfirm = "The project is unchanged. Show the preview to the person. " +
		"If they agree, call the tool again with the same arguments and confirmationToken."
	nextChanged = "The project is unchanged, because the change would have other effects than its preview showed. " +
		"Show the new preview to the person."
	nextTooLarge = "The project is unchanged, and this tool cannot make the change, because its preview is too large to show all of it. " +
		"The person can make the change in the dashboard or with waft in a terminal."
	nextApprove = "The project is unchanged. Someone else must approve the change in the dashboard or with `waft approvals approve`."
)

// changeTool is a tool that makes one call which can be undone, after its preview.
type changeTool struct {
	name, title, description string
	method, path, preview    string
	// destructive marks tools after which devices lose something that they have.
	destructive bool
	fields      []field
	// check returns an error for arguments that the schema does not exclude. nil accepts all.
	check func(args map[string]any) error
	// fixed are fields of the body that are not arguments.
	fixed map[string]any
	// omitted are arguments that are not in the body.
	omitted []string
}

var token = text("confirmationToken", "Token of the preview of exactly this change. Omit it to get the preview")

func (t changeTool) declaration() *sdk.Tool {
	return &sdk.Tool{
		Name: t.name, Title: t.title, InputSchema: schema(append(t.fields[:len(t.fields):len(t.fields)], token)),
		Description: t.description + " The first call only returns a preview and a confirmation token. " +
			"The second call, with the token, makes the change.",
		Annotations: &sdk.ToolAnnotations{Title: t.title, DestructiveHint: &t.destructive, OpenWorldHint: new(false)},
	}
}

// call returns the preview of the change, or makes the change if the arguments have the token of its preview.
func (t changeTool) call(ctx context.Context, c command.Call, pending *confirmations, args map[string]any) (Change, error) {
	given, _ := args[token.name].(string)
	args = maps.Clone(args)
	delete(args, token.name)
	if t.check != nil {
		if err := t.check(args); err != nil {
			return Change{}, err
		}
	}
	change, err := json.Marshal(args) // the keys are sorted
	if err != nil {
		return Change{}, err
	}
	of := t.name + " " + string(change)
	var shown string
	if given != "" {
		if shown, err = pending.take(given, of); err != nil {
			return Change{}, err
		}
	}
	answer, err := t.request(ctx, c, "POST", t.preview, args)
	if err != nil {
		return Change{}, err
	}
	now, err := essence(answer)
	if err != nil {
		return Change{}, err
	}
	if given == "" || now != shown {
		out := Change{Status: "preview", Next: nextConfirm, AboutTexts: aboutTexts}
		if given != "" {
			out.Status, out.Next = "changed_meanwhile", nextChanged
		}
		var cut bool
		out.Preview, cut, err = bounded(answer)
		switch {
		case err != nil:
			return Change{}, err
		case cut: // a person cannot agree to what is missing
			out.Cut, out.Next = changeIsCut, nextTooLarge
		default:
			out.ConfirmationToken, out.ExpiresAt = pending.add(of, now)
		}
		return out, nil
	}
	return t.make(ctx, c, args)
}

// make makes the change.
func (t changeTool) make(ctx context.Context, c command.Call, args map[string]any) (Change, error) {
	answer, err := t.request(ctx, c, t.method, t.path, args)
	var waiting *client.PendingError
	switch {
	case errors.As(err, &waiting):
		return Change{Status: "waits_for_approval", Next: nextApprove, AboutTexts: aboutTexts, Data: map[string]any{
			"approvalId": waiting.Approval.ID, "summary": plain(waiting.Approval.Summary),
			"page": c.PageURL(command.ApprovalPage(waiting.Approval)),
		}}, nil
	case err != nil:
		return Change{}, err
	}
	out := Change{Status: "done", Next: "Tell the person what was done.", AboutTexts: aboutTexts}
	if len(bytes.TrimSpace(answer)) > 0 {
		var cut bool
		out.Data, cut, err = bounded(answer)
		if err != nil { // the change was made
			out.Data, cut = nil, true
		}
		if cut {
			out.Cut = changeIsCut
		}
	}
	return out, nil
}

func (t changeTool) request(ctx context.Context, c command.Call, method, path string, args map[string]any) ([]byte, error) {
	path, rest, err := fill(ctx, c, path, t.fields, args)
	if err != nil {
		return nil, err
	}
	maps.Copy(rest, t.fixed)
	for _, name := range t.omitted {
		delete(rest, name)
	}
	if method == "DELETE" {
		return c.API.Call(ctx, method, "/v1/ota"+path, nil)
	}
	body, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	return c.API.Call(ctx, method, "/v1/ota"+path, bytes.NewReader(body))
}

// essence returns what a preview says without the numbers of devices, and without the order of moves, which follows
// them: they change all the time.
func essence(preview []byte) (string, error) {
	var fields map[string]any
	if err := json.Unmarshal(preview, &fields); err != nil {
		return "", fmt.Errorf("the preview of the server is not JSON: %w", err)
	}
	delete(fields, "devicesAffected")
	if moves, has := fields["moves"].([]any); has {
		texts := make([]string, len(moves))
		for i, move := range moves {
			if of, isObject := move.(map[string]any); isObject {
				delete(of, "devices")
			}
			text, err := json.Marshal(move) // the keys are sorted
			if err != nil {
				return "", err
			}
			texts[i] = string(text)
		}
		slices.Sort(texts)
		fields["moves"] = texts
	}
	text, err := json.Marshal(fields)
	return string(text), err
}
