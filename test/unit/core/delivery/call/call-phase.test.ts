import { EventEmitter } from 'node:events';
import type { ClientRequest } from 'node:http';

import { followPhase } from '../../../../../lambdas/core/delivery/call/call-phase';

test.each([
  ['http://a.example/', ['name lookup', 'connection', 'headers of the response', 'body of the response']],
  [
    'https://a.example/',
    ['name lookup', 'connection', 'TLS handshake', 'headers of the response', 'body of the response'],
  ],
  ['http://127.0.0.1/', ['connection', 'headers of the response', 'body of the response']],
  ['https://[::1]/', ['connection', 'TLS handshake', 'headers of the response', 'body of the response']],
])('%s goes through its phases in order', (url, expected) => {
  const request = new EventEmitter();
  const socket = new EventEmitter();
  const phase = followPhase(request as ClientRequest, new URL(url));
  const seen = new Set([phase()]);
  request.emit('socket', socket);
  const events = expected[0] === 'name lookup' ? ['lookup', 'connect'] : ['connect'];
  if (url.startsWith('https:')) events.push('secureConnect');
  for (const event of events) {
    socket.emit(event);
    seen.add(phase());
  }
  request.emit('response');
  expect([...seen, phase()]).toEqual(expected);
});
