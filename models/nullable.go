package models

// Nullable is a field of a partial update that can be left alone (Set false),
// cleared (Set true, Value nil) or given a value.
type Nullable[T any] struct {
	Set   bool
	Value *T
}

// Apply writes the change, if there is one, to the field.
func (n Nullable[T]) Apply(field **T) {
	if n.Set {
		*field = n.Value
	}
}

// Assign gives the field a value, unless that is nil.
func Assign[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}
