package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/worker"
)

const defineFlag = "-quarterjack-define"

type manifest struct {
	Format string        `json:"format"`
	Source string        `json:"source,omitempty"`
	Jobs   []manifestJob `json:"jobs"`
}

type manifestJob struct {
	JobID      string                    `json:"jobId"`
	Paused     *bool                     `json:"paused,omitempty"`
	Definition quarterjack.JobDefinition `json:"definition"`
}

// WriteManifest writes the jobs as `quarterjack deploy` takes them. The same jobs have the same bytes. Ids
// have no prefix: that is an option of `quarterjack deploy`.
func (p *Program) WriteManifest(to io.Writer) error {
	if len(p.jobs) == 0 {
		return errors.New("the program has no job: call jobs.Handle before jobs.Main")
	}
	all := manifest{Format: "quarterjack.jobs/1", Source: p.Source}
	for _, id := range p.ids() {
		job := p.jobs[id[len(p.Prefix):]]
		all.Jobs = append(all.Jobs, manifestJob{job.ID, job.isPaused, job.definition})
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := to.Write(text.Bytes())
	return err
}

// IsDefining says whether the program was started to print its jobs.
func IsDefining() bool {
	for _, argument := range os.Args[1:] {
		if argument == defineFlag || argument == "-"+defineFlag {
			return true
		}
	}
	return os.Getenv("QUARTERJACK_DEFINE") == "1"
}

// Main runs the program Default until SIGINT or SIGTERM, and ends the process if that fails:
//
//   - With -quarterjack-define, it prints the jobs, and returns.
//   - In AWS Lambda, it serves invocations.
//   - With QUARTERJACK_QUEUE, it is a worker of that queue, and QUARTERJACK_CONCURRENCY executions run at a
//     time. A signal lets what runs end; a second one stops it.
//   - Else it serves deliveries on PORT, by default 3000, at each path.
//
// A program with a main of its own calls WriteManifest if IsDefining, and then Handler, Work or Lambda.
func Main() {
	if err := Default.main(); err != nil {
		log.Fatal(err)
	}
}

func (p *Program) main() error {
	if IsDefining() {
		return p.WriteManifest(os.Stdout)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch {
	case os.Getenv("AWS_LAMBDA_RUNTIME_API") != "":
		return p.Lambda(ctx)
	case os.Getenv("QUARTERJACK_QUEUE") != "":
		return p.work(ctx, stop)
	}
	return p.listen(ctx)
}

func (p *Program) work(ctx context.Context, stop func()) error {
	options := worker.Options{Queue: os.Getenv("QUARTERJACK_QUEUE"), Concurrency: 1}
	if text := os.Getenv("QUARTERJACK_CONCURRENCY"); text != "" {
		if _, err := fmt.Sscanf(text, "%d", &options.Concurrency); err != nil {
			return fmt.Errorf("QUARTERJACK_CONCURRENCY is %q; expected 1 to 100", text)
		}
	}
	w, err := worker.New(options)
	if err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		stop() // from here on, the signals are for the line below
		again, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		<-again.Done()
		w.Stop()
	}()
	return w.Run(ctx, p.Work)
}

func (p *Program) listen(ctx context.Context) error {
	handler, err := p.Handler(quarterjack.VerifyOptions{}, nil)
	if err != nil {
		return err
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		return err
	}
	log.Printf("serving deliveries on %s", listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return server.Shutdown(context.Background()) // what runs may end
	}
}
