// Package origins finds the autonomous system (AS) that announces an address, in a table that the operator supplies.
package origins

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/gaissmai/bart"

	"github.com/waft-ota/waft/models"
)

// maxPrefixes bounds the memory of a table. The whole internet announces some 1.3 million networks.
const maxPrefixes = 4_000_000

// Table has the origin AS of networks. It does not change, and is safe for concurrent use. A nil *Table is empty.
type Table struct{ numbers bart.Table[uint32] }

// Open reads a file whose lines contain a network and the number of its origin AS, such as "203.0.113.0/24 64500", with
// spaces, tabs or a comma between them. Empty lines and lines that begin with # or ; are comments. The error names the line.
func Open(path string) (*Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t := &Table{}
	if err := t.read(file, maxPrefixes); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
		return nil, errors.Join(err, file.Close())
	}
	return t, file.Close()
}

func (t *Table) read(from io.Reader, most int) error {
	lines := bufio.NewScanner(from)
	at := 1
	for ; lines.Scan(); at++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		network, number, ok := parse(line)
		if !ok {
			return fmt.Errorf(`line %d must be a network and the number of its origin AS, such as "203.0.113.0/24 64500", and is %.80q`, at, line)
		}
		t.numbers.Insert(network, number)
		if t.numbers.Size() > most {
			return fmt.Errorf("line %d is beyond the %d networks that a table may have", at, most)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", at, err)
	}
	return nil
}

func parse(line string) (network netip.Prefix, number uint32, ok bool) {
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	if len(fields) != 2 {
		return network, 0, false
	}
	network, err := netip.ParsePrefix(fields[0])
	if err != nil || network.Addr().Is4In6() {
		return network, 0, false
	}
	parsed, err := strconv.ParseUint(fields[1], 10, 32)
	return network.Masked(), uint32(parsed), err == nil && parsed != 0 // AS 0 announces nothing (RFC 7607)
}

// Of returns the number of the AS that announces the address, according to the smallest network that contains it. It returns 0 if the
// table does not contain such a network. For an address that contains an IPv4 address, it returns the AS of the IPv4 address.
func (t *Table) Of(address netip.Addr) uint32 {
	if t == nil || !address.IsValid() {
		return 0
	}
	number, _ := t.numbers.Lookup(models.InnerAddr(address))
	return number
}
