// Package assets keeps the files of builds in a bucket, each once per project
// under the MD5 of its content, and finds out what the files of an upload are.
//
// An upload is staged on local disk while it is hashed, so that memory stays flat
// and nothing enters the bucket before the whole upload is known to be good. An
// object never changes once it is there.
package assets
