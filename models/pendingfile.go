package models

// PendingFile is a stored file that still needs compressed variants.
type PendingFile struct {
	// MD5 is lower-case hex, SHA256 base64url without padding.
	MD5         string `gorm:"column:md5"`
	SHA256      string `gorm:"column:sha256"`
	SizeBytes   int64
	ContentType string
}

// PendingFiles are files that need compressed variants. The hold HoldID protects them from the cleanup until EndHold, or for an
// hour.
type PendingFiles struct {
	HoldID int64
	Files  []PendingFile
	// More means that more files are pending.
	More bool
}

// CompressedFile is a file whose variants are in the asset bucket.
type CompressedFile struct {
	MD5, SHA256 string
	Variants    BlobVariants
}

// FilesToCompress is the payload of OutboxFilesCompress, and the input of the workflow.
type FilesToCompress struct {
	ProjectID  int64  `json:"projectId"`
	WorkflowID string `json:"workflowId"`
	// Summary is shown in Temporal's UI, for example "demo: compressed variants of files".
	Summary string `json:"summary,omitempty"`
}

// CompressedFiles is the result of one pass over the pending files of a project.
type CompressedFiles struct {
	Files int `json:"files"`
	// More means that files are still pending.
	More bool `json:"more,omitempty"`
}
