// Package preview computes what a call would change, from the project before the call and after it. The call was executed
// and undone. The functions are pure.
package preview
