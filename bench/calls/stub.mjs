// An HTTP server that answers each request at once with the same output, in a process of its own. With key
// and certificate in STUB_TLS, it speaks https.
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

const [, , output = '{}'] = process.argv;
const ANSWER =
  'HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\n' +
  `content-length: ${Buffer.byteLength(output)}\r\n\r\n${output}`;
const HEAD_END = '\r\n\r\n';

const identity = process.env.STUB_TLS;
const listen = (onSocket) =>
  identity
    ? createTlsServer({ noDelay: true, ...JSON.parse(identity) }, onSocket)
    : createServer({ noDelay: true }, onSocket);

const server = listen((socket) => {
  let open = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (text) => {
    open += text;
    for (let end = endOfRequest(open); end !== undefined; end = endOfRequest(open)) {
      open = open.slice(end);
      socket.write(ANSWER);
    }
  });
});

/** In bytes, which are characters of latin1. */
function endOfRequest(text) {
  const head = text.indexOf(HEAD_END);
  if (head < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + HEAD_END.length + length;
  return text.length < end ? undefined : end;
}

server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit(0));
