// Package duration reads the durations of the API.
package duration

import (
	"regexp"
	"strconv"
	"time"
)

var short = regexp.MustCompile(`^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$`)
var iso = regexp.MustCompile(`^P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$`)
var units = [...]time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second}

// Of reads 60s, 1m30s or PT1M; 0 for anything else. Days are 24 h.
func Of(text string) time.Duration {
	parts := short.FindStringSubmatch(text)
	if parts == nil {
		parts = iso.FindStringSubmatch(text)
	}
	var sum time.Duration
	for i, part := range parts {
		if i > 0 && part != "" {
			count, _ := strconv.ParseInt(part, 10, 64) // the pattern has nothing but digits
			sum += time.Duration(count) * units[i-1]
		}
	}
	return sum
}

// Text writes whole seconds, rounded up, and whole minutes from two on.
func Text(given time.Duration) string {
	seconds := int64((given + time.Second - 1) / time.Second)
	if seconds >= 120 && seconds%60 == 0 {
		return strconv.FormatInt(seconds/60, 10) + "m"
	}
	return strconv.FormatInt(seconds, 10) + "s"
}
