package quarterjack

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"
)

var mark = regexp.MustCompile(`/(?:x|0)(/|$)`)

// TestRoutes calls each method of the client, and notes the route that it asks. The checkout compares them with
// the API: see test/integration/tools/go-sdk.test.ts.
func TestRoutes(t *testing.T) {
	client, all := scripted(t, step{status: 418})
	services := []reflect.Value{reflect.ValueOf(client)}
	fields := reflect.ValueOf(client).Elem()
	for i := 0; i < fields.NumField(); i++ {
		if fields.Type().Field(i).IsExported() {
			services = append(services, fields.Field(i))
		}
	}
	for _, service := range services {
		for i := 0; i < service.NumMethod(); i++ {
			if name := service.Type().Method(i).Name; name != "Do" && name != "URL" {
				callWithAnything(t, name, service.Method(i))
			}
		}
	}
	routes := map[string]bool{}
	for _, one := range *all {
		path, _, _ := strings.Cut(one.path, "?")
		for mark.MatchString(path) {
			path = mark.ReplaceAllString(path, "/{}$1")
		}
		routes[one.method+" "+path] = true
	}
	var names []string
	for name := range routes {
		names = append(names, name)
	}
	sort.Strings(names)
	if len(names) < 70 {
		t.Error("some calls ask no route:", names)
	}
	if file := os.Getenv("QUARTERJACK_ROUTES"); file != "" {
		text, err := json.Marshal(names)
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func callWithAnything(t *testing.T, name string, method reflect.Value) {
	t.Helper()
	given := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < method.Type().NumIn(); i++ {
		if i == method.Type().NumIn()-1 && method.Type().IsVariadic() {
			break
		}
		one := reflect.New(method.Type().In(i)).Elem()
		switch {
		case one.Kind() == reflect.String:
			one.SetString("x")
		case one.Type() == reflect.TypeOf(TaskKey{}):
			one.Set(reflect.ValueOf(TaskKey{"x", "x", "x"}))
		}
		given = append(given, one)
	}
	results := method.Call(given)
	if next := results[0].MethodByName("Next"); len(results) == 1 && next.IsValid() {
		next.Call(nil)
		return
	}
	if err, _ := results[len(results)-1].Interface().(error); err == nil || !strings.Contains(err.Error(), "418") {
		t.Error(name, err)
	}
}
