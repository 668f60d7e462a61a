/** A Lambda function URL, or an HTTP API with payload format 2.0. */
import { SignatureError, verifyDelivery } from 'quarterjack';

// of this host, as GET /v1/signing-secret?host= returns it; during a rotation both, separated by a space
const secret = (process.env.QUARTERJACK_SECRET ?? '').split(' ');

interface UrlEvent {
  headers: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded: boolean;
}

export async function handler(event: UrlEvent): Promise<{ statusCode: number }> {
  try {
    const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    const delivery = verifyDelivery(body, event.headers, { secret });
    console.log(delivery.jobId, delivery.json()); // your work; deduplicate by delivery.id
    return { statusCode: 204 };
  } catch (error) {
    if (error instanceof SignatureError) return { statusCode: 401 };
    throw error;
  }
}
