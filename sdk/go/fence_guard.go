package quarterjack

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// StaleFenceError says that a later attempt of this execution has arrived. Answer 409, and do nothing.
type StaleFenceError struct {
	ID    string
	Fence int64
}

func (e *StaleFenceError) Error() string {
	return fmt.Sprintf("fence %d of %s is lower than an earlier one", e.Fence, e.ID)
}

// FenceStore stores the highest fence of each execution. Receivers on several machines need one that they
// share. In SQL, use an upsert that keeps the greater number; in DynamoDB, an update with
// `attribute_not_exists(fence) OR fence <= :fence`.
type FenceStore interface {
	// Raise stores the fence, unless a higher one is stored for id: then it is false. Must be atomic.
	Raise(ctx context.Context, id string, fence int64) (bool, error)
}

// FenceGuard rejects a delivery if a later attempt of the same execution has arrived already. That happens if
// a request was late in the network, or an executor was suspended and lost its lease.
type FenceGuard struct{ store FenceStore }

// NewFenceGuard makes a guard. A nil store is one in the memory of this process, of 100,000 executions.
func NewFenceGuard(store FenceStore) *FenceGuard {
	if store == nil {
		store = NewMemoryFenceStore(100_000)
	}
	return &FenceGuard{store}
}

// Admit fails with a StaleFenceError if the fence is lower than an earlier one. Call it before you act on a
// delivery, and again before a write that cannot be undone. It takes only what Verify has returned, with
// signed headers: a fence that another party chose would reject all genuine ones from then on.
func (g *FenceGuard) Admit(ctx context.Context, d *Delivery) error {
	if d == nil || !d.headersSigned {
		return errors.New("Admit takes the result of Verify with signed headers: a fence must be proven")
	}
	isHighest, err := g.store.Raise(ctx, d.ID, d.Fence)
	if err == nil && !isHighest {
		return &StaleFenceError{d.ID, d.Fence}
	}
	return err
}

// MemoryFenceStore holds the latest executions in memory, until the process ends.
type MemoryFenceStore struct {
	lock   sync.Mutex
	max    int
	order  *list.List
	fences map[string]*list.Element
}

type storedFence struct {
	id    string
	fence int64
}

// NewMemoryFenceStore makes a store of at most max executions.
func NewMemoryFenceStore(max int) *MemoryFenceStore {
	return &MemoryFenceStore{max: max, order: list.New(), fences: map[string]*list.Element{}}
}

// Raise is that of FenceStore. It never fails.
func (s *MemoryFenceStore) Raise(_ context.Context, id string, fence int64) (bool, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if known, ok := s.fences[id]; ok {
		if fence < known.Value.(storedFence).fence {
			return false, nil
		}
		s.order.Remove(known)
	}
	s.fences[id] = s.order.PushBack(storedFence{id, fence})
	if oldest := s.order.Front(); s.order.Len() > s.max {
		delete(s.fences, s.order.Remove(oldest).(storedFence).id)
	}
	return true, nil
}
