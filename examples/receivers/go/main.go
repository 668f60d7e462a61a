// Receives deliveries. Needs Go 1.18 or newer, and nothing else.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

const toleranceSec = 300

func mac(key []byte, message string) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(message))
	return hash.Sum(nil)
}

func signedBy(key []byte, message, signatures string) bool {
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac(key, message)))
	found := false
	for _, one := range strings.Split(signatures, " ") {
		found = hmac.Equal(expected, []byte(one)) || found
	}
	return found
}

// ownHeaders returns the webhook-… and quarterjack-… headers, names in lower case. Not ok if one is given twice.
func ownHeaders(header http.Header) (own map[string]string, ok bool) {
	own = map[string]string{}
	for given, values := range header {
		name := strings.ToLower(given)
		if !strings.HasPrefix(name, "webhook-") && !strings.HasPrefix(name, "quarterjack-") {
			continue
		}
		if _, twice := own[name]; twice || len(values) != 1 {
			return nil, false
		}
		own[name] = values[0]
	}
	return own, true
}

func isGenuine(header http.Header, body []byte, keys [][]byte) bool {
	own, ok := ownHeaders(header)
	if !ok {
		return false
	}
	id, timestamp := own["webhook-id"], own["webhook-timestamp"]
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > toleranceSec {
		return false
	}
	var names []string
	for name := range own {
		if strings.HasPrefix(name, "quarterjack-") && name != "quarterjack-signature" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	signedHeaders := "v1\n" + id + "\n" + timestamp + "\n"
	for _, name := range names {
		signedHeaders += name + ":" + own[name] + "\n"
	}
	for _, key := range keys {
		headerKey := mac(key, "quarterjack-headers/1")
		if signedBy(key, id+"."+timestamp+"."+string(body), own["webhook-signature"]) &&
			signedBy(headerKey, signedHeaders, own["quarterjack-signature"]) {
			return true
		}
	}
	return false
}

func main() {
	// Of this host, as GET /v1/signing-secret?host= returns it; during a rotation both, separated by a space.
	var keys [][]byte
	for _, secret := range strings.Fields(os.Getenv("QUARTERJACK_SECRET")) {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			log.Fatal("QUARTERJACK_SECRET must be whsec_ and base64")
		}
		keys = append(keys, key)
	}
	http.HandleFunc("/hook", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !isGenuine(r.Header, body, keys) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		log.Println(r.Header.Get("quarterjack-job"), string(body)) // your work; deduplicate by webhook-id
		w.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "9000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
