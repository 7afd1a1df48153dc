package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// fakeServer stands in for waftd: it records its arguments, and
// responds like waftd. FAKE_FAIL names the part that fails with an error.
func fakeServer() {
	role := os.Args[1]
	if os.Getenv("FAKE_FAIL") == role {
		fmt.Println("starting " + role)
		fmt.Println(`level=ERROR msg="error: the fake gives up"`)
		os.Exit(3)
	}
	var vars []string
	for _, entry := range os.Environ() {
		if strings.HasPrefix(entry, "WAFT_") || strings.Contains(entry, "_URL=") || strings.HasPrefix(entry, "TEMPORAL_") {
			vars = append(vars, entry)
		}
	}
	seen := filepath.Join(os.Getenv("WAFT_DATA_DIR"), role+".env")
	if err := os.WriteFile(seen, []byte(strings.Join(vars, "\n")), 0o600); err != nil {
		fmt.Println("error: " + err.Error())
		os.Exit(1)
	}
	switch role {
	case "migrate":
		return
	case "setup-link":
		fmt.Println(os.Getenv("WAFT_BASE_URL") + "/app/setup#token")
		return
	}
	http.HandleFunc("/readyz", func(http.ResponseWriter, *http.Request) {})
	fmt.Println(http.ListenAndServe(os.Getenv("WAFT_LISTEN_ADDR"), nil))
}
