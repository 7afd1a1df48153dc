package api

import "github.com/waft-ota/waft/models"

// UserOverride sends one user's devices to a branch.
type UserOverride struct {
	ID         int64  `json:"id"`
	UserID     string `json:"userId" doc:"As the app names its user."`
	BranchName string `json:"branchName" doc:"The branch that the user's devices get."`
	Note       string `json:"note"`
	CreatedAt  Time   `json:"createdAt"`
}

func overrideRecord(o models.UserOverride) UserOverride {
	return UserOverride{ID: o.ID, UserID: o.UserID, BranchName: o.BranchName, Note: o.Note, CreatedAt: Time{o.CreatedAt}}
}

func (UserOverride) example() any {
	return UserOverride{ID: 33, UserID: "user-42", BranchName: "next", Note: "tests the new checkout", CreatedAt: exampleTime}
}

// Context is a user, device or other subject that flags are evaluated for.
type Context struct {
	ID              int64              `json:"id"`
	Kind            models.ContextKind `json:"kind" enum:"user,device,organization,service,environment"`
	TargetingKey    string             `json:"targetingKey" doc:"Names it among those of its kind."`
	Name            string             `json:"name"`
	Attributes      map[string]any     `json:"attributes" doc:"JSON values by name."`
	FirstSeenAt     Time               `json:"firstSeenAt"`
	LastSeenAt      Time               `json:"lastSeenAt"`
	EvaluationCount int64              `json:"evaluationCount" doc:"How often flags were evaluated for it."`
}

func contextRecord(c models.EvaluationContext) Context {
	out := Context{
		ID: c.ID, Kind: c.Kind, TargetingKey: c.TargetingKey, Name: c.Name, Attributes: c.Attributes,
		FirstSeenAt: Time{c.FirstSeenAt}, LastSeenAt: Time{c.LastSeenAt}, EvaluationCount: c.EvaluationCount,
	}
	if out.Attributes == nil {
		out.Attributes = map[string]any{}
	}
	return out
}

func (Context) example() any {
	return Context{
		ID: 34, Kind: "user", TargetingKey: "user-42", Name: "Ada", Attributes: map[string]any{"plan": "pro"},
		FirstSeenAt: exampleTime, LastSeenAt: exampleTime, EvaluationCount: 7,
	}
}
