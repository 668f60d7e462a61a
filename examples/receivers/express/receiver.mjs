import express from 'express';
import { SignatureError, verifyDelivery } from 'quarterjack';

// of this host, as GET /v1/signing-secret?host= returns it; during a rotation both, separated by a space
const secret = (process.env.QUARTERJACK_SECRET ?? '').split(' ');
const app = express();

// No express.json() before this route: the signature covers the raw body.
app.post('/hook', express.raw({ type: '*/*' }), (request, response, next) => {
  try {
    const body = Buffer.isBuffer(request.body) ? request.body : undefined; // Express 4 gives {} for none
    const delivery = verifyDelivery(body, request.headers, { secret });
    console.log(delivery.jobId, delivery.json()); // your work; deduplicate by delivery.id
    response.sendStatus(204);
  } catch (error) {
    if (error instanceof SignatureError) response.sendStatus(401);
    else next(error);
  }
});
app.listen(Number(process.env.PORT ?? 9000), '127.0.0.1');
