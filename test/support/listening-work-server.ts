import { FakeWorkServer } from './work-server';
import { listenOnLoopback, type LoopbackServer } from './loopback-server';

/** The fake server behind a port. While the network is cut, connections are reset. */
export class ListeningWorkServer extends FakeWorkServer {
  private loopback: LoopbackServer | undefined;

  get url(): string {
    return this.loopback?.url ?? '';
  }

  async listen(): Promise<void> {
    this.loopback = await listenOnLoopback((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const given = new Request(`http://work.test${request.url}`, {
          method: 'POST',
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        });
        void this.fetch(given).then(
          async (answer) =>
            response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text()),
          () => request.socket.destroy(),
        );
      });
    });
  }

  override close(): void {
    super.close();
    this.loopback?.stop();
  }
}
