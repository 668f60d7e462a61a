package worker

import (
	"strings"
	"testing"
	"time"
)

const s = time.Second

func TestRulesEndWorkBeforeTheLease(t *testing.T) {
	for _, heartbeat := range []time.Duration{15 * s, 60 * s, 3600 * s} {
		for _, grace := range []time.Duration{s, 5 * s, 1200 * s} {
			rules := rulesOf(heartbeat, 10*time.Hour, grace)
			if end := rules.keepsFor + rules.grace; end > heartbeat-2*s {
				t.Error(heartbeat, grace, "the work ends too late:", end)
			}
			if rules.heartbeatEvery*2 > rules.keepsFor {
				t.Error(heartbeat, grace, "one heartbeat may get lost:", rules)
			}
		}
	}
	if rules := rulesOf(60*s, 8*s, 5*s); rules.worksFor != 6*s {
		t.Error("a short attempt keeps back a quarter:", rules.worksFor)
	}
}

func TestLeaseSteps(t *testing.T) {
	rules := rulesOf(60*s, 300*s, 5*s) // keeps for 53 s, heartbeats every 20 s, works for 293 s
	for name, one := range map[string]struct {
		state leaseState
		want  leaseStep
	}{
		"at first": {leaseState{sinceTried: -1}, leaseStep{wait: s}},
		"the heartbeat is due": {leaseState{sinceKept: 20 * s, sinceTried: -1},
			leaseStep{heartbeat: true}},
		"one is under way": {leaseState{sinceKept: 20 * s, sinceTried: 0, isTrying: true},
			leaseStep{wait: s}},
		"a failed one, again in 1 s": {leaseState{sinceKept: 22 * s, sinceTried: s / 2},
			leaseStep{wait: s / 2}},
		"a failed one, after 1 s": {leaseState{sinceKept: 22 * s, sinceTried: s},
			leaseStep{heartbeat: true}},
		"a first progress": {leaseState{sinceTried: -1, hasProgress: true},
			leaseStep{heartbeat: true}},
		"a progress after another one": {leaseState{sinceKept: 9 * s / 2, sinceTried: 9 * s / 2, hasProgress: true},
			leaseStep{wait: s / 2}},
		"no acknowledgement": {leaseState{sinceKept: 53 * s, sinceTried: 0, isTrying: true},
			leaseStep{abort: Lost}},
		"the time of the attempt": {leaseState{sinceClaimed: 293 * s, sinceTried: 0},
			leaseStep{abort: TimedOut}},
		"it is kept while it stops": {leaseState{sinceKept: 20 * s, sinceClaimed: 294 * s,
			sinceTried: 9 * s, isAborted: true}, leaseStep{heartbeat: true}},
		"just before it may be lost": {leaseState{sinceKept: 53*s - 1, sinceTried: 0, isTrying: true},
			leaseStep{wait: 1}},
		"just before the time is over": {leaseState{sinceClaimed: 293*s - 1, sinceTried: 0},
			leaseStep{wait: 1}},
		"lost comes before the timeout": {leaseState{sinceKept: 53 * s, sinceClaimed: 293 * s},
			leaseStep{abort: Lost}},
	} {
		if got := nextLeaseStep(one.state, rules); got != one.want {
			t.Errorf("%s: %+v, expected %+v", name, got, one.want)
		}
	}
}

func TestLongLinesAreCutBetweenCharacters(t *testing.T) {
	line := strings.Repeat("ü", maxLineUnits-1) + "😀" + "end"
	parts := partsOf(line)
	if len(parts) != 2 || strings.Join(parts, "") != line || parts[1] != "😀end" {
		t.Error(len(parts), parts[len(parts)-1])
	}
	var lines []string
	writer := &lineWriter{write: func(line string) { lines = append(lines, line) }}
	for _, text := range []string{"a\nb", "c\n", "\nrest"} {
		if n, err := writer.Write([]byte(text)); n != len(text) || err != nil {
			t.Error(n, err)
		}
	}
	writer.flush()
	if strings.Join(lines, "|") != "a|bc||rest" {
		t.Error(lines)
	}
}
