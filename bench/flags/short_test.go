package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestShortForm measures for so short a time that speed is meaningless. All libraries must decide in the same way.
func TestShortForm(t *testing.T) {
	t.Parallel()
	_, err := run(1000, 1, time.Microsecond)
	require.NoError(t, err)
}
