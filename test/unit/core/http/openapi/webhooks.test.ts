import { deliveryOf } from '../../../../../lambdas/core/delivery/delivery';
import { openApiDocument } from '../../../../../lambdas/core/http/openapi/document';
import { aJob, anExecution } from '../../../../support/factories';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

const { post } = openApiDocument().webhooks!.delivery!;
const parameters = post!.parameters as Parameter[];

/** Names of the headers of a delivery. */
function headersOf(send: object, run: { key?: string } = {}): string[] {
  const secrets = { host: [`whsec_${Buffer.alloc(32).toString('base64')}`], legacy: [] };
  const base = { secrets, nowMs: 0, dueAtMs: 0, trace: { traceparent: '00-1-2-00' } };
  const { headers } = deliveryOf(anExecution(run), aJob({ payload: {} }), { ...base, ...send });
  return Object.keys(headers).filter((name) => name !== 'content-type'); // OpenAPI has it with the body
}

test('the webhook has exactly the headers of a delivery, and requires those that each one has', () => {
  const reportBy = { callbackUrl: 'https://api.example.com/v1/attempts', token: 'dG9rZW4' };
  expect(parameters.every((parameter) => parameter.in === 'header')).toBe(true);
  expect(parameters.map(({ name }) => name).toSorted()).toEqual(
    headersOf(
      { target: 0, reportBy, trace: { traceparent: '00-1-2-00', tracestate: 'a=1' } },
      { key: 'a' },
    ).toSorted(),
  );
  const required = parameters.filter((parameter) => parameter.required);
  expect(required.map(({ name }) => name).toSorted()).toEqual(headersOf({}).toSorted());
});
