// Package preview says what a call would change, from the project before and after a call that was undone. It is pure.
package preview
