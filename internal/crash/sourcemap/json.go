package sourcemap

import (
	"encoding/json"
	"fmt"
)

// object calls read for each key of an object, with the decoder at the key's value.
func (d *decoder) object(read func(key string) error) error {
	if err := d.open('{', "an object"); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string) // a key is always a string
		if err := read(name); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// array calls read for each element of a list.
func (d *decoder) array(name string, read func() error) error {
	if err := d.open('[', "a list of "+name); err != nil {
		return err
	}
	for d.More() {
		if err := read(); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func (d *decoder) open(with json.Delim, what string) error {
	token, err := d.Token()
	if err == nil && token != with {
		err = fmt.Errorf("it has %.40v where a source map has %s", token, what)
	}
	return err
}

// texts reads a list of strings. A value that is not a string, such as null, counts as "".
func (d *decoder) texts(most int, name string, add func(string), count func() int) error {
	return d.array(name, func() error {
		if count() >= most {
			return fmt.Errorf("it has more than %d %s", most, name)
		}
		var text looseText
		if err := d.Decode(&text); err != nil {
			return err
		}
		add(string(text))
		return nil
	})
}

// optional reads a string or null.
func (d *decoder) optional(into *string) error {
	var text *string
	err := d.Decode(&text)
	if err == nil && text != nil {
		*into = *text
	}
	return err
}

func (d *decoder) skip() error {
	var skipped json.RawMessage
	return d.Decode(&skipped)
}

// functionMaps reads x_facebook_sources. For each source it contains null, or a list whose first element is a function
// map or null.
func (d *decoder) functionMaps(p *part) error {
	return d.array("function maps", func() error {
		if len(p.functions) >= maxSources {
			return fmt.Errorf("it has more than %d function maps", maxSources)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		var metadata []*struct {
			Names    []string `json:"names"`
			Mappings string   `json:"mappings"`
		}
		var functions *functionMap
		// Metadata in another form comes from another tool.
		if len(raw) <= maxMetadata && json.Unmarshal(raw, &metadata) == nil &&
			len(metadata) > 0 && metadata[0] != nil && len(metadata[0].Mappings) <= maxFunctions {
			functions = &functionMap{metadata[0].Names, metadata[0].Mappings}
			if d.functionNames += len(functions.names); d.functionNames > maxNames {
				return fmt.Errorf("it has more than %d names of functions", maxNames)
			}
		}
		p.functions = append(p.functions, functions)
		return nil
	})
}

// ignoreList reads the indexes of the sources to ignore.
func (d *decoder) ignoreList(p *part) error {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return err
	}
	if len(raw) > maxIgnored {
		return fmt.Errorf("its list of sources to ignore has more than %d bytes", maxIgnored)
	}
	return json.Unmarshal(raw, &p.ignored)
}

// looseText is a string, or "" for any other value. Decoding another value fully would take many times its size,
// because it may be a list of millions of objects.
type looseText string

// UnmarshalJSON decodes a value.
func (t *looseText) UnmarshalJSON(value []byte) error {
	*t = ""
	if value[0] != '"' {
		return nil
	}
	return json.Unmarshal(value, (*string)(t))
}
