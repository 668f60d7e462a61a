import { QuarterjackError } from '../errors';
import { type HttpAnswer, type httpAnswers, MAX_BODY_BYTES, problem } from './answer-http';
import { CONSOLE } from './run-job';
import type { NodeReply, NodeRequest, NodeResponse } from './serve-options';

const NO_RAW_BODY =
  "the body must be raw, and not parsed: in Express, express.raw({ type: '*/*' }) in place of express.json()";

/** A handler for `node:http`, Express and Fastify. Never rejects. */
export const nodeHandler =
  (answer: ReturnType<typeof httpAnswers>) =>
  async (request: NodeRequest, given: NodeResponse | NodeReply): Promise<void> => {
    const response = 'hijack' in given ? given.raw : given;
    if ('hijack' in given) given.hijack();
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new QuarterjackError('the caller is gone'));
    });
    let body: Uint8Array | undefined;
    try {
      body = await bodyOf(request);
    } catch (error) {
      if (!(error instanceof QuarterjackError)) return; // the connection broke: no one waits for an answer
      CONSOLE.error(error.message);
      return send(response, problem(500, 'Failed', error.message));
    }
    send(response, await answer({ headers: request.headers, body, signal: gone.signal }));
  };

function send(response: NodeResponse, { status, headers, body }: HttpAnswer): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
}

/** Undefined if there is too much of it. */
async function bodyOf(request: NodeRequest): Promise<Uint8Array | undefined> {
  const { body } = request;
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  const stream = (request.raw ?? request) as Partial<AsyncIterable<Uint8Array>> & { readableEnded?: boolean };
  if (stream.readableEnded === true && body !== undefined && body !== null && !isEmpty(body))
    throw new QuarterjackError(NO_RAW_BODY);
  if (stream.readableEnded === true || !stream[Symbol.asyncIterator]) return new Uint8Array();
  return readAll(stream as AsyncIterable<Uint8Array>);
}

/** What parsers leave of a request without a body. */
const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).length === 0;

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
