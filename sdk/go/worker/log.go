package worker

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/quarterjack/quarterjack/sdk/go/internal/clock"
)

// Stream is the stream of a line of a log.
type Stream string

// The streams of a log.
const (
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
)

const (
	// Bounds of a chunk that the API accepts, and of a line: a longer one is several.
	maxChunkBytes = 65_536
	maxChunkLines = 10_000
	maxLineUnits  = 16_384
	// What waits beyond these is dropped: a log delays no work.
	maxWaitingBytes = 5 << 20
	maxWaitingLines = 100_000
	logRetry        = 2 * time.Second
)

type logLine struct {
	At     string `json:"at"`
	Stream Stream `json:"stream"`
	Text   string `json:"text"`
}

// logChunk has a number, from 0: the API orders by it.
type logChunk struct {
	Chunk int       `json:"chunk"`
	Lines []logLine `json:"lines"`
}

// logSender sends the log of one attempt, chunk by chunk. A chunk is sent again under its number until it
// arrives.
type logSender struct {
	send      func(context.Context, logChunk) (truncated bool, err error)
	failed    func(error)
	startedAt clock.Moment
	abandoned context.Context
	abandonIt context.CancelFunc
	// wake has a value when what waits is to be sent now.
	wake chan struct{}

	lock    sync.Mutex
	waiting []logLine
	bytes   int
	dropped int
	chunks  int
	closing bool
	full    bool
	sending chan struct{}
}

func newLogSender(ctx context.Context, failed func(error),
	send func(context.Context, logChunk) (bool, error)) *logSender {
	s := &logSender{send: send, failed: failed, startedAt: clock.Now(), wake: make(chan struct{}, 1)}
	s.abandoned, s.abandonIt = context.WithCancel(detached{ctx})
	return s
}

// write never waits. Once nothing more is kept, it has no effect.
func (s *logSender) write(text string, stream Stream) {
	at := clock.Now().Wall().UTC().Format("2006-01-02T15:04:05.000Z")
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.full {
		return
	}
	for _, part := range partsOf(strings.ToValidUTF8(text, "\uFFFD")) {
		if len(s.waiting) >= maxWaitingLines || s.bytes+len(part) > maxWaitingBytes {
			s.dropped++
			continue
		}
		s.waiting = append(s.waiting, logLine{at, stream, part})
		s.bytes += len(part)
	}
	if s.sending == nil && len(s.waiting) > 0 {
		s.sending = make(chan struct{})
		go s.sendAll(s.sending)
	}
	if s.hasChunk() {
		s.wakeUp()
	}
}

// partsOf cuts a line into parts of the longest length, never within a character.
func partsOf(text string) []string {
	if len(text) <= maxLineUnits {
		return []string{text}
	}
	var parts []string
	from, units := 0, 0
	for at, char := range text {
		own := 1
		if char > 0xffff {
			own = 2 // the API counts as UTF-16 does
		}
		if units+own > maxLineUnits {
			parts, from, units = append(parts, text[from:at]), at, 0
		}
		units += own
	}
	return append(parts, text[from:])
}

func (s *logSender) hasChunk() bool {
	return s.bytes >= maxChunkBytes || len(s.waiting) >= maxChunkLines
}

func (s *logSender) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *logSender) sendAll(done chan struct{}) {
	defer close(done)
	for {
		s.untilDue()
		chunk, ok := s.take()
		if !ok {
			return
		}
		s.sendChunk(chunk)
	}
}

// take returns the next chunk. Not ok if nothing waits: then sending is over.
func (s *logSender) take() (logChunk, bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	size, count := 0, 0
	for count < len(s.waiting) && count < maxChunkLines && size+len(s.waiting[count].Text) <= maxChunkBytes {
		size += len(s.waiting[count].Text)
		count++
	}
	if count == 0 {
		s.sending = nil
		return logChunk{}, false
	}
	chunk := logChunk{s.chunks, append([]logLine(nil), s.waiting[:count]...)}
	s.waiting, s.bytes, s.chunks = s.waiting[count:], s.bytes-size, s.chunks+1
	return chunk, true
}

// untilDue waits for further lines, for a second in the first minute, then for five.
func (s *logSender) untilDue() {
	s.lock.Lock()
	isDue := s.closing || s.hasChunk() || len(s.waiting) == 0
	s.lock.Unlock()
	if isDue {
		return
	}
	after := time.Second
	if clock.Since(s.startedAt) >= time.Minute {
		after = 5 * time.Second
	}
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.wake:
	case <-s.abandoned.Done():
	}
}

func (s *logSender) sendChunk(chunk logChunk) {
	for !s.isFull() {
		truncated, err := s.send(s.abandoned, chunk)
		switch {
		case err == nil:
			if truncated {
				s.stop()
			}
			return
		case s.abandoned.Err() != nil:
			return
		case isTemporary(err):
			pause(s.abandoned, logRetry)
		default:
			s.stop()
			s.failed(err)
		}
	}
}

func (s *logSender) isFull() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.full
}

func (s *logSender) droppedLines() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.dropped
}

// stop keeps nothing more.
func (s *logSender) stop() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.full, s.waiting, s.bytes = true, nil, 0
}

// close sends what waits, for at most so long.
func (s *logSender) close(within time.Duration) {
	s.lock.Lock()
	s.closing = true
	sending := s.sending
	s.lock.Unlock()
	if sending == nil {
		return
	}
	s.wakeUp()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-sending:
	case <-timer.C:
	}
}

// abandon drops what waits, and ends the request under way.
func (s *logSender) abandon() {
	s.stop()
	s.abandonIt()
}

// lineWriter makes lines of what is written. The rest without a line feed waits for the next write.
type lineWriter struct {
	lock  sync.Mutex
	rest  []byte
	write func(string)
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	text := append(w.rest, p...)
	for at := bytes.IndexByte(text, '\n'); at >= 0; at = bytes.IndexByte(text, '\n') {
		w.write(string(text[:at]))
		text = text[at+1:]
	}
	if len(text) > maxLineUnits { // it would only get longer
		w.write(string(text))
		text = nil
	}
	w.rest = append([]byte(nil), text...)
	return len(p), nil
}

func (w *lineWriter) flush() {
	w.lock.Lock()
	defer w.lock.Unlock()
	if len(w.rest) > 0 {
		w.write(string(w.rest))
		w.rest = nil
	}
}
