// Package progress has what a heartbeat says of the work.
package progress

import (
	"math"
	"strings"
	"unicode"
)

const maxText = 200

// Of is a share from 0 to 1 and a text that the API takes. A text that is too long is cut, and has spaces in
// place of control characters.
func Of(share float64, text string) (float64, string) {
	if math.IsNaN(share) {
		share = 0
	}
	return math.Min(1, math.Max(0, share)), shownText(text)
}

// shownText counts as the API does: in units of UTF-16.
func shownText(text string) string {
	units := 0
	var shown strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		if units++; r > 0xffff {
			units++
		}
		if units > maxText {
			break
		}
		if unicode.IsControl(r) || isDirection(r) {
			r = ' '
		}
		shown.WriteRune(r)
	}
	return shown.String()
}

// isDirection: line separators, and characters that change the direction of text.
func isDirection(r rune) bool {
	return r == 0x2028 || r == 0x2029 || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069)
}
