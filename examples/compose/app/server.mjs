// Prints each delivery. A real receiver checks its signature: docs/deliveries.md.
import { createServer } from 'node:http';

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    process.stdout.write(`${String(request.headers['quarterjack-job'])}: ${body}\n`);
    response.end('ok');
  });
}).listen(3000);
