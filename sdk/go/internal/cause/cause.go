// Package cause passes on what led to a request: the depth of a delivery, by which the API ends loops, and its
// trace.
package cause

import (
	"context"
	"net/http"
)

type key struct{}

var names = []string{"Quarterjack-Hop", "Traceparent", "Tracestate"}

// Of is the context of what a delivery has begun. header gives the headers of the delivery by their names.
func Of(ctx context.Context, header func(name string) string) context.Context {
	led := http.Header{}
	for _, name := range names {
		if value := header(name); value != "" {
			led.Set(name, value)
		}
	}
	return context.WithValue(ctx, key{}, led)
}

// Add sets the headers that a request of the context passes on.
func Add(ctx context.Context, to http.Header) {
	led, _ := ctx.Value(key{}).(http.Header)
	for name, values := range led {
		to[name] = values
	}
}
