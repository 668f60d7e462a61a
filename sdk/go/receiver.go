package quarterjack

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/quarterjack/quarterjack/sdk/go/internal/cause"
)

type deliveryKey struct{}

// Verified lets only genuine deliveries through to next, which finds the delivery by DeliveryOf. It answers
// 401 to others, and with a guard 409 to those that arrive after a later attempt. guard may be nil. A Client
// that is called with the context of the request passes on its depth and its trace.
//
// It fails with an ArgumentError if there is no well-formed secret.
func (o VerifyOptions) Verified(next http.Handler, guard *FenceGuard) (http.Handler, error) {
	if _, err := o.VerifyParts(http.Header{}, nil); !isSignatureError(err) {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		delivery, err := o.Verify(r)
		if err == nil && guard != nil {
			err = guard.Admit(r.Context(), delivery)
		}
		var stale *StaleFenceError
		switch {
		case err == nil:
			ctx := context.WithValue(r.Context(), deliveryKey{}, delivery)
			next.ServeHTTP(w, r.WithContext(cause.Of(ctx, r.Header.Get)))
		case errors.Is(err, errTooLarge):
			WriteProblem(w, http.StatusRequestEntityTooLarge, "Request too large", err.Error())
		case isSignatureError(err):
			WriteProblem(w, http.StatusUnauthorized, "Not genuine", err.Error())
		case errors.As(err, &stale):
			WriteProblem(w, http.StatusConflict, "Stale", err.Error())
		default:
			WriteProblem(w, http.StatusInternalServerError, "Failed",
				"the delivery cannot be checked: "+err.Error())
		}
	}), nil
}

func isSignatureError(err error) bool {
	var own *SignatureError
	return errors.As(err, &own)
}

// DeliveryOf is the delivery behind a request that Verified has let through; nil for others.
func DeliveryOf(r *http.Request) *Delivery {
	delivery, _ := r.Context().Value(deliveryKey{}).(*Delivery)
	return delivery
}

// WriteProblem answers with what is wrong, as RFC 9457 says it.
func WriteProblem(w http.ResponseWriter, status int, title, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	problem := map[string]any{"type": "about:blank", "title": title, "status": status, "detail": detail}
	_ = json.NewEncoder(w).Encode(problem) // a caller that is gone needs no answer
}
