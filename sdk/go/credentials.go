package quarterjack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Credentials are those of a program that signs in for itself (OAuth 2.0 client credentials).
type Credentials struct {
	// TokenEndpoint is that of Client.SignIn, as an absolute URL.
	TokenEndpoint string
	ClientID      string
	ClientSecret  string
	// Scope has scopes, separated by spaces. Default: all that the client has.
	Scope string
	// HTTPClient sends the requests.
	HTTPClient *http.Client
}

const tokenMargin = time.Minute

// ClientCredentials makes a TokenSource. It gets a token, and keeps it until a minute before it expires,
// because issuers bill each token. It fails with an AuthenticationError if the issuer refuses the client.
func ClientCredentials(given Credentials) func(context.Context) (string, error) {
	var lock sync.Mutex
	var token string
	var until time.Time
	return func(ctx context.Context) (string, error) {
		lock.Lock()
		defer lock.Unlock()
		if time.Now().Before(until) {
			return token, nil
		}
		fresh, life, err := given.token(ctx)
		if err != nil {
			return "", err
		}
		token, until = fresh, time.Now().Add(life-tokenMargin)
		return token, nil
	}
}

func (c Credentials) token(ctx context.Context) (string, time.Duration, error) {
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {c.ClientID},
		"client_secret": {c.ClientSecret}}
	if c.Scope != "" {
		form.Set("scope", c.Scope)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, c.TokenEndpoint,
		strings.NewReader(form.Encode()))
	if err != nil || sent.URL.Host == "" {
		return "", 0, &ArgumentError{"TokenEndpoint", c.TokenEndpoint, "an absolute http or https URL"}
	}
	sent.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	received, err := withoutRedirects(c.HTTPClient).Do(sent)
	if err != nil {
		return "", 0, &ConnectionError{http.MethodPost, c.TokenEndpoint, err}
	}
	defer received.Body.Close()
	var body struct {
		Token string  `json:"access_token"`
		Life  float64 `json:"expires_in"`
		Error string  `json:"error"`
	}
	err = json.NewDecoder(received.Body).Decode(&body)
	if body.Error == "invalid_client" {
		return "", 0, &AuthenticationError{&ProblemError{Status: received.StatusCode, Type: "about:blank",
			Title: "Unauthorized", Detail: fmt.Sprintf("the issuer refuses the client %s, or its secret",
				c.ClientID)}}
	}
	if err != nil || received.StatusCode != http.StatusOK || body.Token == "" {
		return "", 0, &ResponseError{received.StatusCode, c.TokenEndpoint, "has no token " + body.Error}
	}
	return body.Token, time.Duration(body.Life * float64(time.Second)), nil
}
