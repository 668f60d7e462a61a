package quarterjack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
)

// queryOf makes parameters of a filter, which has JSON. Lists are several parameters of one name.
func queryOf(filter any) url.Values {
	query := url.Values{}
	text, err := json.Marshal(filter)
	if err != nil {
		return query // cannot be: filters have nothing but texts, numbers and booleans
	}
	fields := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&fields) != nil {
		return query // there is no filter
	}
	for name, value := range fields {
		values, isList := value.([]any)
		if !isList {
			values = []any{value}
		}
		for _, one := range values {
			query.Add(name, fmt.Sprint(one))
		}
	}
	return query
}
