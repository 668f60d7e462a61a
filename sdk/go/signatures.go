package quarterjack

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
)

// A comma at the end is left where a header was given twice.
var signature = regexp.MustCompile(`^[A-Za-z0-9]+,[A-Za-z0-9+/=_-]+$`)

// signers says which keys made one of the signatures. Every pair is compared, so that the time tells nothing.
func signers(keys [][]byte, text []byte, name string, headers map[string]string) ([]bool, error) {
	made := make([]bool, len(keys))
	for _, one := range strings.Split(headers[name], " ") {
		if !signature.MatchString(one) {
			return nil, &SignatureError{name + " is missing, malformed, or given twice"}
		}
		for i, key := range keys {
			isMade := strings.HasPrefix(one, "v1,") && hmac.Equal(mac(key, text),
				bytesOf(one[strings.Index(one, ",")+1:]))
			made[i] = made[i] || isMade
		}
	}
	return made, nil
}

func mac(key, text []byte) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write(text)
	return hash.Sum(nil)
}

func keysOf(secrets string) ([][]byte, error) {
	var keys [][]byte
	for _, secret := range strings.Fields(secrets) {
		key := bytesOf(strings.TrimPrefix(secret, "whsec_"))
		if !strings.HasPrefix(secret, "whsec_") || len(key) == 0 {
			return nil, &ArgumentError{"secret", "…",
				"whsec_ followed by base64, as GET /v1/signing-secret returns it"}
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, &ArgumentError{"secret", "", "whsec_… of the receiver's host, or QUARTERJACK_SECRET"}
	}
	return keys, nil
}

// bytesOf reads base64 of either alphabet, up to the first "=". Other characters are left out, as Node.js
// does.
func bytesOf(text string) []byte {
	text, _, _ = strings.Cut(text, "=")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '+', r == '/':
			return r
		}
		return -1
	}, text)
	if len(text)%4 == 1 {
		text = text[:len(text)-1]
	}
	decoded, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil // cannot be: the text has nothing but the alphabet
	}
	return decoded
}
