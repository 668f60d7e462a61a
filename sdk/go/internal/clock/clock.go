// Package clock reads two clocks at once. The monotonic one never jumps, but stands still while the machine
// sleeps. The wall clock goes on meanwhile, but may be set.
package clock

import (
	"sync/atomic"
	"time"
)

// Moment is one instant on both clocks.
type Moment struct{ monotonic, wall time.Time }

// jump is too large a difference between the clocks for a drift: the machine slept, or its clock was set.
const jump = time.Second

var offset atomic.Int64

// SetWallOffset lets the wall clock of this process seem to be set. For tests.
func SetWallOffset(ahead time.Duration) { offset.Store(int64(ahead)) }

// Now reads both clocks.
func Now() Moment {
	now := time.Now()
	return Moment{now, now.Round(0).Add(time.Duration(offset.Load()))}
}

// Since is the time from a moment until now, with that in which the machine slept. A wall clock that was set
// ahead seems the same: a lease then seems older than it is, which is the safe side.
func Since(from Moment) time.Duration {
	now := Now()
	monotonic, wall := now.monotonic.Sub(from.monotonic), now.wall.Sub(from.wall)
	if wall-monotonic > jump {
		return wall
	}
	return monotonic
}

// Wall is the time on the wall clock.
func (m Moment) Wall() time.Time { return m.wall }

// IsSet is false of a moment that has not come.
func (m Moment) IsSet() bool { return !m.wall.IsZero() }
