package ownserver

import (
	"io"
	"net"
	"sync"

	"github.com/emersion/go-smtp"
)

// Mailbox is a real mail server in this process, which takes every mail and counts them.
type Mailbox struct {
	// URL is a value of WAFT_SMTP_URL.
	URL string

	server *smtp.Server
	mu     sync.Mutex
	taken  map[string]int // by address
}

// OpenMailbox starts a mail server, until Close.
func OpenMailbox() (*Mailbox, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it lasts as long as the mailbox
	if err != nil {
		return nil, err
	}
	m := &Mailbox{URL: "smtp://" + listener.Addr().String() + "?from=waft@example.com&tls=none", taken: map[string]int{}}
	m.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &delivery{box: m}, nil }))
	m.server.Domain = "localhost"
	go func() { _ = m.server.Serve(listener) }() // it ends by Close
	return m, nil
}

// Close ends the mail server.
func (m *Mailbox) Close() error { return m.server.Close() }

// Taken returns how many mails to an address the server has taken.
func (m *Mailbox) Taken(address string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.taken[address]
}

// delivery is a connection of a client.
type delivery struct {
	box *Mailbox
	to  string
}

func (d *delivery) Mail(string, *smtp.MailOptions) error { return nil }

func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error {
	d.to = to
	return nil
}

func (d *delivery) Data(mail io.Reader) error {
	if _, err := io.Copy(io.Discard, mail); err != nil {
		return err
	}
	d.box.mu.Lock()
	defer d.box.mu.Unlock()
	d.box.taken[d.to]++
	return nil
}

func (d *delivery) Reset() { d.to = "" }

func (d *delivery) Logout() error { return nil }
