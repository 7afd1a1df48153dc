package models

// Linking is a request of a session to link an identity to the session's account.
type Linking struct{ UserID, SessionID int64 }
