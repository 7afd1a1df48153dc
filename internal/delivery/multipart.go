package delivery

// boundary separates the parts of every answer. A fixed one is safe: each part is
// JSON in one line, in which a line break, and so a delimiter, cannot occur, or a
// certificate in PEM, of which no line begins like a delimiter.
const boundary = "waft-part-4f1c9a7e2d"

const multipartType = "multipart/mixed; boundary=" + boundary

const (
	lineEnd   = "\r\n"
	delimiter = "--" + boundary + lineEnd
)

// formEnd follows the manifest or directive: a part which says that no header is
// needed to download assets, and the end of the form.
const formEnd = lineEnd + delimiter +
	`content-disposition: inline; name="extensions"` + lineEnd +
	"content-type: application/json" + lineEnd + lineEnd +
	`{"assetRequestHeaders":{}}` +
	lineEnd + "--" + boundary + "--" + lineEnd

// partHead is a part up to its content. Header names are in lower case: the iOS
// client looks the signature up by exact name.
func partHead(name, contentType string) string {
	return delimiter +
		`content-disposition: inline; name="` + name + `"` + lineEnd +
		"content-type: " + contentType + lineEnd + lineEnd
}

// signedHead is the head of a JSON part with the signature of its content.
func signedHead(name, signature string) string {
	return delimiter +
		`content-disposition: inline; name="` + name + `"` + lineEnd +
		"content-type: application/json" + lineEnd +
		"expo-signature: " + signature + lineEnd + lineEnd
}
