// Package bsdiff makes and applies binary patches in the classic format of bsdiff
// 4, "BSDIFF40", which expo-updates applies to launch assets. It is pure: bytes
// in, bytes out.
//
// A patch is a header of 32 bytes and three bzip2 streams (integers are 8 bytes,
// little endian, the top bit of the last byte being the sign):
//
//	 0  "BSDIFF40"
//	 8  length of the packed control block
//	16  length of the packed difference block
//	24  size of the new file
//	32  control, differences, extra: each one bzip2 stream
//
// Control holds triples (add, copy, move): add that many bytes of the difference
// block to the old file's, copy that many of the extra block, move that far in the
// old file.
//
// The method is Colin Percival's ("Naive Differences of Executable Code", 2003):
// the new file is covered with stretches that are nearly equal to some stretch of
// the old one, so that moved code whose addresses changed leaves differences that
// are mostly zero. The suffix array is made by induced sorting (Nong, Zhang and
// Chan, "Two Efficient Algorithms for Linear Time Suffix Array Construction",
// 2009).
package bsdiff
