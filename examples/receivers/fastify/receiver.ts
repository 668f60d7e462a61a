import Fastify from 'fastify';
import { SignatureError, verifyDelivery } from 'quarterjack';

// of this host, as GET /v1/signing-secret?host= returns it; during a rotation both, separated by a space
const secret = (process.env.QUARTERJACK_SECRET ?? '').split(' ');
const app = Fastify();
app.removeAllContentTypeParsers(); // the signature covers the raw body
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post('/hook', async (request, reply) => {
  try {
    const delivery = verifyDelivery(request.body as Buffer | undefined, request.headers, { secret });
    console.log(delivery.jobId, delivery.json()); // your work; deduplicate by delivery.id
    return await reply.code(204).send();
  } catch (error) {
    if (error instanceof SignatureError) return await reply.code(401).send();
    throw error;
  }
});
void app.listen({ port: Number(process.env.PORT ?? 9000), host: '127.0.0.1' });
