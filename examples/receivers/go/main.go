// Receives deliveries.
package main

import (
	"log"
	"net/http"
	"os"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
)

func main() {
	work := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		delivery := quarterjack.DeliveryOf(r)
		log.Println(delivery.JobID, string(delivery.Body)) // your work; deduplicate by delivery.ID
		w.WriteHeader(http.StatusNoContent)
	})
	// The secret of this host is in QUARTERJACK_SECRET, as GET /v1/signing-secret?host= returns it; during a
	// rotation both, separated by a space.
	verified, err := quarterjack.VerifyOptions{}.Verified(work, nil)
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/hook", verified)
	port := os.Getenv("PORT")
	if port == "" {
		port = "9000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
