package quarterjack

import (
	"context"
	"encoding/json"
	"net/url"
)

// List is a list that is fetched page by page while it is read:
//
//	jobs := client.Jobs.List(ctx, nil)
//	for jobs.Next() {
//		fmt.Println(jobs.Item().JobID)
//	}
//	if err := jobs.Err(); err != nil { … }
//
// From Go 1.23 on, `for job, err := range client.Jobs.List(ctx, nil).All()` does the same.
type List[T any] struct {
	ctx     context.Context
	client  *Client
	request request
	options []CallOption
	needs   []string
	page    []T
	cursor  string
	item    T
	begun   bool
	err     error
}

type page struct {
	Items      []json.RawMessage `json:"items"`
	NextCursor *string           `json:"nextCursor"`
}

// listOf makes a List. needs are fields that each item has.
func listOf[T any](ctx context.Context, c *Client, r request, options []CallOption,
	needs ...string) *List[T] {
	return &List[T]{ctx: ctx, client: c, request: r, options: options, cursor: r.query.Get("cursor"),
		needs: needs}
}

// Next goes to the next item. It is false at the end, and after an error.
func (l *List[T]) Next() bool {
	for len(l.page) == 0 {
		if !l.NextPage() {
			return false
		}
	}
	l.item, l.page = l.page[0], l.page[1:]
	return true
}

// Item is the one that Next has gone to.
func (l *List[T]) Item() T { return l.item }

// Err is what has ended the list early, or nil.
func (l *List[T]) Err() error { return l.err }

// NextPage fetches the next page, which may be empty. It is false at the end, and after an error.
func (l *List[T]) NextPage() bool {
	if l.err != nil || l.begun && l.cursor == "" {
		return false
	}
	l.err = l.fetch()
	return l.err == nil
}

// Page has the items of the page that NextPage has fetched.
func (l *List[T]) Page() []T { return l.page }

// Cursor goes on behind the page that was fetched last, as the Cursor of a filter. Empty at the end.
func (l *List[T]) Cursor() string { return l.cursor }

func (l *List[T]) fetch() error {
	asked := l.request
	asked.query = url.Values{}
	for name, values := range l.request.query {
		asked.query[name] = append([]string(nil), values...)
	}
	if l.cursor != "" {
		asked.query.Set("cursor", l.cursor)
	}
	result, err := l.client.send(l.ctx, asked, l.options)
	if err != nil {
		return err
	}
	var received page
	if err := result.decode(&received, "items"); err != nil {
		return err
	}
	items := make([]T, len(received.Items))
	for i, item := range received.Items {
		one := *result
		one.body = item
		if err := one.decode(&items[i], l.needs...); err != nil {
			return err
		}
	}
	l.page, l.begun, l.cursor = items, true, ""
	if received.NextCursor != nil {
		l.cursor = *received.NextCursor
	}
	return nil
}

// All calls yield for each item, until it returns false. An error comes last, with a zero item.
func (l *List[T]) All() func(yield func(T, error) bool) {
	return func(yield func(T, error) bool) {
		for l.Next() {
			if !yield(l.item, nil) {
				return
			}
		}
		if l.err != nil {
			var none T
			yield(none, l.err)
		}
	}
}

// Collect reads the first max items, or all if max is 0.
func (l *List[T]) Collect(max int) ([]T, error) {
	all := []T{}
	for (max <= 0 || len(all) < max) && l.Next() {
		all = append(all, l.item)
	}
	return all, l.err
}
