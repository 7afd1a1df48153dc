// Package dump copies the rows of all tables out of one state of a ClickHouse database, and into an empty one. It uses ClickHouse's HTTP
// interface, which writes and reads whole tables in the format Native, including the states of aggregate functions.
package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// client sends statements to one database.
type client struct {
	// base is the URL without credentials.
	base           url.URL
	user, password string
	database       string
}

// newClient reads a URL like http://user:password@host:8123/database. Its error never contains the password.
func newClient(clickHouseURL string) (*client, error) {
	u, err := url.Parse(clickHouseURL)
	if err != nil {
		return nil, errors.New("CLICKHOUSE_URL cannot be parsed")
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("a backup and a restore use ClickHouse's HTTP interface; set CLICKHOUSE_URL for this command to " +
			"http://user:password@host:8123/database, or to https://")
	}
	c := &client{user: u.User.Username(), database: strings.Trim(u.Path, "/")}
	c.password, _ = u.User.Password()
	query := u.Query()
	if c.user == "" {
		c.user, c.password = query.Get("username"), query.Get("password")
	}
	if c.database == "" {
		c.database = "default"
	}
	c.base = url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}
	return c, nil
}

// settings are the settings of a statement.
type settings map[string]string

// open runs a statement, whose rows are the body, and returns the response's body.
func (c *client) open(ctx context.Context, statement string, body io.Reader, with settings) (io.ReadCloser, error) {
	u := c.base
	// Without wait_end_of_query, ClickHouse may fail after the status, and then writes the error among the rows.
	query := url.Values{"database": {c.database}, "query": {statement}, "wait_end_of_query": {"1"}}
	for name, value := range with {
		query.Set(name, value)
	}
	u.RawQuery = query.Encode()
	if body == nil {
		body = http.NoBody
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), body)
	if err != nil {
		return nil, errors.New("CLICKHOUSE_URL cannot be used")
	}
	if c.user != "" {
		req.Header.Set("X-ClickHouse-User", c.user)
		req.Header.Set("X-ClickHouse-Key", c.password)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the URL, which has the statement
		}
		return nil, fmt.Errorf("ClickHouse does not respond: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(res.Body, 2<<10)) // a message that breaks off is better than none
		return nil, fmt.Errorf("ClickHouse refused %q: %s", shortened(statement), bytes.TrimSpace(text))
	}
	return res.Body, nil
}

func shortened(statement string) string {
	const most = 120
	if len(statement) <= most {
		return statement
	}
	return statement[:most] + "…"
}

// exec runs a statement without rows.
func (c *client) exec(ctx context.Context, statement string) error {
	_, err := c.lines(ctx, statement, nil)
	return err
}

// drop drops a table if it exists. By default, ClickHouse refuses to drop tables of more than 50 GB.
func (c *client) drop(ctx context.Context, table string) error {
	_, err := c.lines(ctx, "DROP TABLE IF EXISTS "+quoted(table), settings{"max_table_size_to_drop": "0"})
	return err
}

// lines returns the rows of a query as the fields of each.
func (c *client) lines(ctx context.Context, statement string, with settings) ([][]string, error) {
	body, err := c.open(ctx, statement, nil, with)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, fmt.Errorf("read the response of ClickHouse: %w", err)
	}
	var all [][]string
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i, f := range fields {
			fields[i] = unescaped.Replace(f)
		}
		all = append(all, fields)
	}
	return all, nil
}

// unescaped undoes the escapes of the format TabSeparated that occur in names, keys and settings.
var unescaped = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\n`, "\n", `\t`, "\t")

// number returns the only value of a query.
func (c *client) number(ctx context.Context, query string) (int64, error) {
	rows, err := c.lines(ctx, query, nil)
	if err != nil {
		return 0, err
	}
	if len(rows) != 1 || len(rows[0]) != 1 {
		return 0, fmt.Errorf("ClickHouse returned %d rows to %q", len(rows), shortened(query))
	}
	n, err := strconv.ParseInt(rows[0][0], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", shortened(query), err)
	}
	return n, nil
}

func quoted(name string) string {
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`").Replace(name) + "`"
}

func text(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "'"
}
