package models

// Page selects a page of a list: at most Limit records, newest first unless Sort or Search is set.
type Page struct {
	Limit int
	// Before selects records with a lower ID, in a list without Sort and Search. 0 selects the first page.
	Before int64
	// Sort is the field to sort by, with a leading "-" for descending order.
	Sort string
	// Search selects records with the given words. Without Sort, the best matches come first.
	Search string
	// After is the record after which the page of a list with Sort or Search begins; nil selects the first page.
	After *Cursor
	// Count asks for the number of all records that the list has without pages.
	Count bool
	// Found receives what the list returns in addition to the records; nil if the caller does not need them.
	Found *Found
}

// Cursor is the place of a record in a list with Sort or Search.
type Cursor struct {
	// Order is the order of the list that the cursor belongs to: see Page.Order.
	Order string `json:"o"`
	// Value is the value that the list is ordered by.
	Value string `json:"v"`
	ID    int64  `json:"i,omitempty"`
	// Key identifies a record without an ID.
	Key string `json:"k,omitempty"`
}

// Found contains what a list returns in addition to its records.
type Found struct {
	// Total is the number of all records, if Page.Count is set.
	Total *int64
	// Cursors are the places of the records, in a list with Sort or Search.
	Cursors []Cursor
}

// orderBestFirst is the order of a search without a sort.
const orderBestFirst = "best"

// Order names the order of the page's list: "" is newest first.
func (p Page) Order() string {
	if p.Sort == "" && p.Search != "" {
		return orderBestFirst
	}
	return p.Sort
}

// Counts reports whether the list has to count its records.
func (p Page) Counts() bool { return p.Count && p.Found != nil }
