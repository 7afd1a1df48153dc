package delivery

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
)

type hashes struct{ md5, sha256 string }

func sums(content string) hashes {
	m, s := md5.Sum([]byte(content)), sha256.Sum256([]byte(content))
	return hashes{md5: hex.EncodeToString(m[:]), sha256: base64.RawURLEncoding.EncodeToString(s[:])}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
