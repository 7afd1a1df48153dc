// Receives webhooks from Waft: checks the signature and the time, and handles each message once.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const maxBody = 20_000 // bytes

// message has the fields of the body that every event has.
type message struct {
	Type string `json:"type"`
	Data struct {
		ProjectSlug string         `json:"projectSlug"`
		EntityID    string         `json:"entityId"`
		Details     map[string]any `json:"details"`
	} `json:"data"`
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	verifier, err := standardwebhooks.NewWebhook(os.Getenv("WAFT_WEBHOOK_SECRET"))
	if err != nil {
		return fmt.Errorf("WAFT_WEBHOOK_SECRET: %w", err)
	}
	address := os.Getenv("ADDRESS")
	if address == "" {
		address = "127.0.0.1:3000"
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("listening on http://%s/hooks/waft\n", listener.Addr())
	mux := http.NewServeMux()
	mux.Handle("POST /hooks/waft", &receiver{verifier: verifier})
	server := &http.Server{Handler: mux, ReadTimeout: 10 * time.Second}
	return server.Serve(listener)
}

type receiver struct {
	verifier *standardwebhooks.Webhook
	// seen has the IDs of handled messages. Store them in a database for a week, in the transaction of the work.
	seen sync.Map
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	// The signature covers the bytes that were sent, so verify it before parsing them.
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return
	}
	// Verify also refuses timestamps that are more than five minutes off.
	if err := r.verifier.Verify(body, req.Header); err != nil {
		http.Error(w, "the signature does not verify", http.StatusUnauthorized)
		return
	}
	id := req.Header.Get(standardwebhooks.HeaderWebhookID)
	if _, again := r.seen.LoadOrStore(id, true); again {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err := handle(id, body); err != nil {
		r.seen.Delete(id)
		http.Error(w, "the message could not be handled", http.StatusInternalServerError) // Waft sends it again
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func handle(id string, body []byte) error {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		return err
	}
	if m.Type == "" {
		return errors.New("the message has no type")
	}
	fmt.Printf("handled %s %s %s\n", id, m.Type, m.Data.EntityID)
	return nil
}
