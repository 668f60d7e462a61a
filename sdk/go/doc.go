// Package quarterjack calls the API of Quarterjack, a serverless job scheduler, and receives its deliveries.
// It needs nothing but the standard library.
//
//	client, err := quarterjack.New(quarterjack.Options{URL: "http://127.0.0.1:8787"})
//	if err != nil {
//		log.Fatal(err)
//	}
//	job, err := client.Jobs.Create(ctx, quarterjack.JobDefinition{
//		Schedule: quarterjack.Schedule{Type: "delay", Delay: "30m"},
//		Target:   &quarterjack.Target{Type: "http", URL: "https://shop.example/orders/42/close"},
//	})
//
// Reads, changes and creates are repeated after network errors, 429 and 5xx. Each create has an idempotency
// key, one for all its tries, so a repeat creates nothing twice.
//
// Errors of the API are a ProblemError, which errors.As finds, and a type for each way to react: a
// ValidationError, an AuthenticationError, a PermissionError, a NotFoundError, a ConflictError, a
// RateLimitError or a ServerError. Without a response it is a ConnectionError, and a ResponseError if the
// response is none of the API. An ArgumentError says that nothing was sent.
//
// Models are generated from the OpenAPI document. Optional numbers, booleans and objects are pointers, which
// Ptr makes. Fields that a newer server adds are in Extra.
//
// Package worker runs executions of a work queue, and package jobs has jobs in code.
package quarterjack
