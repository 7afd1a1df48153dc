package api

// The records that lists are paged by.
func (r APIKey) recordID() int64           { return r.ID }
func (r AuditEntry) recordID() int64       { return r.ID }
func (r Branch) recordID() int64           { return r.ID }
func (r Build) recordID() int64            { return r.ID }
func (r Channel) recordID() int64          { return r.ID }
func (r Context) recordID() int64          { return r.ID }
func (r Flag) recordID() int64             { return r.ID }
func (r Incident) recordID() int64         { return r.ID }
func (r Project) recordID() int64          { return r.ID }
func (r RolloutExecution) recordID() int64 { return r.ID }
func (r RolloutPolicy) recordID() int64    { return r.ID }
func (r Segment) recordID() int64          { return r.ID }
func (r Update) recordID() int64           { return r.ID }
func (r UserOverride) recordID() int64     { return r.ID }
func (r Webhook) recordID() int64          { return r.ID }
func (r WebhookDelivery) recordID() int64  { return r.ID }
