// The target of the signed calls, as a process of its own. It answers 200 at once.
import { createServer } from 'node:http';

import { arrivals } from './arrivals.mjs';

const seen = arrivals();
const server = createServer((request, response) => {
  const lateMs = Date.now() - Number(request.headers['due-ms']);
  request.resume();
  request.once('end', () => {
    response.end();
    seen.add(lateMs);
  });
});

server.keepAliveTimeout = 0; // a connection that ends just as it is used again fails a call

process.on('message', ({ id, count, withinMs }) => {
  if (count === undefined) process.send({ id, late: seen.take() });
  else void seen.waitFor(count, withinMs).then(() => process.send({ id, late: [] }));
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', 4_096, () => process.send({ port: server.address().port }));
