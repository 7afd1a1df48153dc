package models

// PendingFile is a stored file of which compressed variants are to be made.
type PendingFile struct {
	// MD5 is lower-case hex, SHA256 base64url without padding.
	MD5         string `gorm:"column:md5"`
	SHA256      string `gorm:"column:sha256"`
	SizeBytes   int64
	ContentType string
}

// PendingFiles are held against the cleanup under HoldID until EndHold, or for an hour.
type PendingFiles struct {
	HoldID int64
	Files  []PendingFile
	// More says that others are pending.
	More bool
}

// CompressedFile is a file whose variants are in the asset store.
type CompressedFile struct {
	MD5, SHA256 string
	Variants    BlobVariants
}

// FilesToCompress is the payload of OutboxFilesCompress, and the input of the workflow.
type FilesToCompress struct {
	ProjectID  int64  `json:"projectId"`
	WorkflowID string `json:"workflowId"`
	// Summary is shown in Temporal's UI: "demo: compressed variants of files".
	Summary string `json:"summary,omitempty"`
}

// CompressedFiles is what one pass over the pending files of a project did.
type CompressedFiles struct {
	Files int `json:"files"`
	// More says that files are still pending.
	More bool `json:"more,omitempty"`
}
