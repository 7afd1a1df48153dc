package models

// Linking is the linking of an identity with an account, which a session of the account has begun.
type Linking struct{ UserID, SessionID int64 }
