/** How models keep the fields that they do not know. */
export const EXTRA_CODE = `import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// Ptr returns a pointer to a value: optional numbers, booleans and objects are pointers.
func Ptr[T any](value T) *T { return &value }

// knownFields has the names in JSON of the fields of each model.
var knownFields sync.Map

func fieldsOf(model reflect.Type) map[string]bool {
	if known, ok := knownFields.Load(model); ok {
		return known.(map[string]bool)
	}
	known := map[string]bool{}
	for i := 0; i < model.NumField(); i++ {
		name, _, _ := strings.Cut(model.Field(i).Tag.Get("json"), ",")
		known[name] = true
	}
	knownFields.Store(model, known)
	return known
}

func unmarshalModel(data []byte, into any, extra *map[string]json.RawMessage) error {
	if err := json.Unmarshal(data, into); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for name := range fieldsOf(reflect.TypeOf(into).Elem()) {
		delete(all, name)
	}
	*extra = nil
	if len(all) > 0 {
		*extra = all
	}
	return nil
}

func marshalModel(model any, extra map[string]json.RawMessage) ([]byte, error) {
	data, err := json.Marshal(model)
	if err != nil || len(extra) == 0 {
		return data, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	for name, value := range extra {
		all[name] = value
	}
	return json.Marshal(all)
}

func unmarshalTextOrModel(data []byte, into any, extra *map[string]json.RawMessage, text *string) error {
	if strings.HasPrefix(string(data), "\\"") {
		return json.Unmarshal(data, text)
	}
	*text = ""
	return unmarshalModel(data, into, extra)
}

func marshalTextOrModel(model any, extra map[string]json.RawMessage, text string) ([]byte, error) {
	if text != "" {
		return json.Marshal(text)
	}
	return marshalModel(model, extra)
}`;
