package rest

import "github.com/waft-ota/waft/models"

// AuditSubject is the record that an entry of the audit log or a webhook message is about.
type AuditSubject struct {
	Kind           string `json:"kind" doc:"Kind of record. The entity types update, rollout_execution, code_signing have the kinds release, rollout, signing_key; parts of a flag have the kind flag." example:"release"`
	ID             string `json:"id"`
	Name           string `json:"name" doc:"Name of the record now, or when it was changed if it does not exist any more. Empty if it does not have a name."`
	Platform       string `json:"platform,omitempty" doc:"Platform of a release, rollout, build or incident."`
	RuntimeVersion string `json:"runtimeVersion,omitempty" doc:"Runtime version of a release, rollout, build or incident."`
	Exists         bool   `json:"exists" doc:"Whether the record still exists. False for records without a list of their own, such as a session."`
}

// ExampleSubject is the subject of an entry in examples.
var ExampleSubject = AuditSubject{
	Kind: "release", ID: "17", Name: "Faster start", Platform: string(models.IOS), RuntimeVersion: "1.4.0", Exists: true,
}
