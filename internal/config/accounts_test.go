package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPeopleURL(t *testing.T) {
	t.Parallel()
	for want, c := range map[string][2]string{
		"https://ota.example.com":      {"https://ota.example.com/", "0.0.0.0:8080"},
		"https://ota.example.com/waft": {"https://ota.example.com/waft", "0.0.0.0:8080"},
		"http://localhost:8080":        {"", "127.0.0.1:8080"},
		"http://localhost:8081":        {"", ":8081"},
		"http://localhost:8082":        {"", "[::]:8082"},
		"http://localhost:8083":        {"http://127.0.0.1:8083", "127.0.0.1:1"},
		"http://192.0.2.7:8080":        {"", "192.0.2.7:8080"},
		"https://localhost":            {"https://[::1]", "127.0.0.1:1"},
	} {
		require.Equal(t, want, PeopleURL(c[0], c[1]), c)
	}
}
