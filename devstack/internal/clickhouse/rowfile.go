package clickhouse

import "io"

// rowsBuffer is how many bytes of rows are in between at a time.
const rowsBuffer = 256 << 10

// copyRows copies with a buffer that is larger than what either end would choose.
func copyRows(to io.Writer, rows io.Reader) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{rows}, make([]byte, rowsBuffer))
	return err
}
