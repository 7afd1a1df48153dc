package clickhouse

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"

	"github.com/ClickHouse/ch-go/compress"
	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// decoded decodes the body's Content-Encoding.
func decoded(encoding string, body io.ReadCloser) (io.ReadCloser, *Failure) {
	var reader io.ReadCloser
	var err error
	switch encoding {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		reader, err = gzip.NewReader(body)
	case "deflate":
		reader, err = zlib.NewReader(body)
	case "br":
		reader = io.NopCloser(brotli.NewReader(body))
	case "zstd":
		var decoder *zstd.Decoder
		if decoder, err = zstd.NewReader(body); err == nil {
			reader = decoder.IOReadCloser()
		}
	default:
		return nil, serverFailure(codeUnknownEncoding, "UNKNOWN_COMPRESSION_METHOD",
			"Unknown compression method '"+encoding+"'")
	}
	if err != nil {
		return nil, serverFailure(codeCannotReadBody, "CANNOT_READ_FROM_ISTREAM",
			"Cannot read the "+encoding+" request: "+err.Error())
	}
	return reader, nil
}

// blockReader decodes ClickHouse's own compression, which frames blocks.
func blockReader(r io.Reader) io.Reader { return blocks{compress.NewReader(r)} }

// blocks returns a plain io.EOF after a whole block. The underlying reader wraps both
// that and an end within a block.
type blocks struct{ *compress.Reader }

func (b blocks) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// blockSize is how much output one compressed block holds.
const blockSize = 1 << 20

// compressBlocks frames the output in ClickHouse's compressed blocks.
func compressBlocks(output []byte) ([]byte, error) {
	writer := compress.NewWriter(compress.LevelZero, compress.LZ4)
	var framed bytes.Buffer
	for len(output) > 0 {
		n := min(len(output), blockSize)
		if err := writer.Compress(output[:n]); err != nil {
			return nil, err
		}
		framed.Write(writer.Data)
		output = output[n:]
	}
	return framed.Bytes(), nil
}
