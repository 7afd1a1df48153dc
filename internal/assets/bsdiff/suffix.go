package bsdiff

// suffixArray returns where each suffix of text begins, in the order of the
// suffixes. It takes linear time and, besides the result's 4 bytes for each byte of
// text, less than 2 more. The text must be shorter than 2 GiB.
func suffixArray(text []byte) []int32 {
	sa := make([]int32, len(text))
	sortSuffixes(text, sa, 256)
	return sa
}

// sorting is one level of induced sorting: text holds values below the number of
// buckets, and the array receives the order of its suffixes.
type sorting[T byte | int32] struct {
	text []T
	sa   []int32
	// bounds has a place for every value: the first or last free slot of its bucket.
	bounds []int32
	// smaller says of each position whether its suffix sorts before the next one
	// ("S-type"), one bit each.
	smaller []uint64
}

// none marks a slot that no suffix has.
const none = -1

// sortSuffixes writes the sorted suffixes of text, whose values are below values,
// to sa, which is as long.
func sortSuffixes[T byte | int32](text []T, sa []int32, values int) {
	n := len(text)
	if n < 2 {
		clear(sa)
		return
	}
	s := sorting[T]{text: text, sa: sa, bounds: make([]int32, values), smaller: make([]uint64, (n+63)/64)}
	for i := n - 2; i >= 0; i-- { // the last suffix is larger than the end after it
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

// isValley reports whether position i begins a run of suffixes that grow after
// ones that shrink ("leftmost S-type"). Between two valleys lies at least one
// other position, and their order fixes that of all suffixes.
func (s *sorting[T]) isValley(i int) bool { return i > 0 && s.isSmaller(i) && !s.isSmaller(i-1) }

// bucketStarts and bucketEnds set the bounds before every use, since using them
// moves them.
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

// induce completes the order: the array holds the valleys, in order among
// themselves, at the ends of their buckets, and none elsewhere.
func (s *sorting[T]) induce() {
	n := len(s.text)
	s.bucketStarts()
	place := func(suffix int) {
		value := s.text[suffix]
		s.sa[s.bounds[value]] = int32(suffix)
		s.bounds[value]++
	}
	place(n - 1) // it comes before the end of the text, which is the smallest suffix
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

// sortValleySubstrings leaves the valleys at the beginning of the array, in the
// order of the text from each to the next one, and returns how many there are.
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

// nameValleys leaves at the end of the array, for each of the m valleys in the
// order of the text, the rank of the text from it to the next one, and returns how
// many ranks there are.
func (s *sorting[T]) nameValleys(m int) (names int) {
	n := len(s.text)
	fill(s.sa[m:], none)
	last := none
	for _, valley := range s.sa[:m] {
		if last == none || !s.sameSubstring(last, int(valley)) {
			names++
		}
		last = int(valley)
		s.sa[m+last/2] = int32(names - 1) // no two valleys are neighbours
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

// sameSubstring compares the text from valley a to the next valley with that
// from b.
func (s *sorting[T]) sameSubstring(a, b int) bool {
	for i := 0; ; i++ {
		if max(a, b)+i >= len(s.text) {
			return false // only one of two can be the last
		}
		if s.text[a+i] != s.text[b+i] || s.isSmaller(a+i) != s.isSmaller(b+i) {
			return false
		}
		if i > 0 && (s.isValley(a+i) || s.isValley(b+i)) {
			return s.isValley(a+i) == s.isValley(b+i)
		}
	}
}

// expandValleys turns the order of the m valleys, numbers in the first m slots,
// into what induce begins with.
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
	for i := m - 1; i >= 0; i-- { // slots only ever move to the right
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
