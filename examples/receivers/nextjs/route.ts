/** Next.js: `app/hook/route.ts`. Any framework with the `Request` of fetch can do the same. */
import { SignatureError, verifyDelivery } from 'quarterjack';

// of this host, as GET /v1/signing-secret?host= returns it; during a rotation both, separated by a space
const secret = (process.env.QUARTERJACK_SECRET ?? '').split(' ');

export const runtime = 'nodejs'; // not the edge runtime: the signature is checked with node:crypto

export async function POST(request: Request): Promise<Response> {
  try {
    const delivery = await verifyDelivery(request, { secret });
    console.log(delivery.jobId, delivery.json()); // your work; deduplicate by delivery.id
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof SignatureError) return new Response(null, { status: 401 });
    throw error;
  }
}
