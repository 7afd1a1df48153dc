package bsdiff

// suffixArray returns the positions of text's suffixes in sorted order. It takes linear time and less than 6 bytes of
// memory per byte of text; 4 of them are the result. The text must be shorter than 2 GiB.
func suffixArray(text []byte) []int32 {
	sa := make([]int32, len(text))
	sortSuffixes(text, sa, 256)
	return sa
}

// sorting is one level of induced sorting. It sorts the suffixes of text into sa.
type sorting[T byte | int32] struct {
	text []T
	sa   []int32
	// bounds contains the first or last free slot of each value's bucket.
	bounds []int32
	// smaller has one bit per position. The bit says that the suffix there sorts before the next suffix ("S-type").
	smaller []uint64
}

// none marks a free slot.
const none = -1

// sortSuffixes sorts the suffixes of text into sa, which has the same length. All values in text are below values.
func sortSuffixes[T byte | int32](text []T, sa []int32, values int) {
	n := len(text)
	if n < 2 {
		clear(sa)
		return
	}
	s := sorting[T]{text: text, sa: sa, bounds: make([]int32, values), smaller: make([]uint64, (n+63)/64)}
	for i := n - 2; i >= 0; i-- { // the last suffix is larger than the empty one after it
		if text[i] < text[i+1] || text[i] == text[i+1] && s.isSmaller(i+1) {
			s.smaller[i>>6] |= 1 << (i & 63)
		}
	}
	m := s.sortValleySubstrings()
	names := s.nameValleys(m)
	reduced := sa[n-m:]
	if names < m {
		sortSuffixes(reduced, sa[:m], names)
	} else {
		for i, name := range reduced {
			sa[name] = int32(i)
		}
	}
	s.expandValleys(m)
	s.induce()
}

func (s *sorting[T]) isSmaller(i int) bool { return s.smaller[i>>6]>>(i&63)&1 == 1 }

// isValley reports whether the suffix at i is an S-type suffix that follows one of the other type ("leftmost S-type").
// Two valleys are never adjacent. The order of the valleys determines the order of all suffixes.
func (s *sorting[T]) isValley(i int) bool { return i > 0 && s.isSmaller(i) && !s.isSmaller(i-1) }

// bucketStarts sets bounds to the starts of the buckets. Every use moves the bounds.
func (s *sorting[T]) bucketStarts() {
	var sum int32
	for value, count := range s.counts() {
		s.bounds[value] = sum
		sum += count
	}
}

func (s *sorting[T]) bucketEnds() {
	var sum int32
	for value, count := range s.counts() {
		sum += count
		s.bounds[value] = sum
	}
}

func (s *sorting[T]) counts() []int32 {
	clear(s.bounds)
	for _, value := range s.text {
		s.bounds[value]++
	}
	return s.bounds
}

// place puts a suffix into the last free slot of its bucket.
func (s *sorting[T]) place(suffix int) {
	value := s.text[suffix]
	s.bounds[value]--
	s.sa[s.bounds[value]] = int32(suffix)
}

// induce completes the order. It expects sorted valleys at the ends of their buckets and none elsewhere.
func (s *sorting[T]) induce() {
	n := len(s.text)
	s.bucketStarts()
	place := func(suffix int) {
		value := s.text[suffix]
		s.sa[s.bounds[value]] = int32(suffix)
		s.bounds[value]++
	}
	place(n - 1) // the suffix after it is empty, so it is the smallest
	for i := range n {
		if before := int(s.sa[i]) - 1; before >= 0 && !s.isSmaller(before) {
			place(before)
		}
	}
	s.bucketEnds()
	for i := n - 1; i >= 0; i-- {
		if before := int(s.sa[i]) - 1; before >= 0 && s.isSmaller(before) {
			s.place(before)
		}
	}
}

// sortValleySubstrings moves the valleys to the beginning of the array, ordered by their text up to the next valley. It
// returns their number.
func (s *sorting[T]) sortValleySubstrings() int {
	fill(s.sa, none)
	s.bucketEnds()
	for i := len(s.text) - 1; i > 0; i-- {
		if s.isValley(i) {
			s.place(i)
		}
	}
	s.induce()
	m := 0
	for _, suffix := range s.sa {
		if s.isValley(int(suffix)) {
			s.sa[m] = suffix
			m++
		}
	}
	return m
}

// nameValleys writes ranks to the end of the array, one for each of the m valleys in the order of the text. The rank of
// a valley orders the text from the valley to the next one. nameValleys returns the number of different ranks.
func (s *sorting[T]) nameValleys(m int) (names int) {
	n := len(s.text)
	fill(s.sa[m:], none)
	last := none
	for _, valley := range s.sa[:m] {
		if last == none || !s.sameSubstring(last, int(valley)) {
			names++
		}
		last = int(valley)
		s.sa[m+last/2] = int32(names - 1) // two valleys are never adjacent
	}
	free := n
	for i := n - 1; i >= m; i-- {
		if s.sa[i] != none {
			free--
			s.sa[free] = s.sa[i]
		}
	}
	return names
}

// sameSubstring reports whether the texts from the valleys a and b up to their next valleys are equal.
func (s *sorting[T]) sameSubstring(a, b int) bool {
	for i := 0; ; i++ {
		if max(a, b)+i >= len(s.text) {
			return false // only one of the two can be the last
		}
		if s.text[a+i] != s.text[b+i] || s.isSmaller(a+i) != s.isSmaller(b+i) {
			return false
		}
		if i > 0 && (s.isValley(a+i) || s.isValley(b+i)) {
			return s.isValley(a+i) == s.isValley(b+i)
		}
	}
}

// expandValleys replaces the numbers of the m sorted valleys, which are in the first m slots, by the input of induce.
func (s *sorting[T]) expandValleys(m int) {
	n := len(s.text)
	valleys := s.sa[n-m:]
	at := m
	for i := n - 1; i > 0; i-- {
		if s.isValley(i) {
			at--
			valleys[at] = int32(i)
		}
	}
	for i, number := range s.sa[:m] {
		s.sa[i] = valleys[number]
	}
	fill(s.sa[m:], none)
	s.bucketEnds()
	for i := m - 1; i >= 0; i-- { // valleys only move to slots further right
		valley := s.sa[i]
		s.sa[i] = none
		s.place(int(valley))
	}
}

func fill(sa []int32, value int32) {
	for i := range sa {
		sa[i] = value
	}
}
