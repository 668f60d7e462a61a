import { planResend } from '../../../../lambdas/core/domain/plan-entry';
import type { HttpTarget } from '../../../../lambdas/core/domain/target';
import { aJob, anOccurrenceEntry, aTarget } from '../../../support/factories';

describe('where a message lets its executor connect before the call', () => {
  const originFor = (target: Partial<HttpTarget>) =>
    planResend(anOccurrenceEntry(), aJob({ target: aTarget(target) })).messages[0]!.origin;

  test.each([
    ['https://example.com/hook?a=b', 'https://example.com'],
    ['https://Example.com:8443/{{ run.id }}', 'https://example.com:8443'],
    ['https://example.com:443/', 'https://example.com'],
    ['http://127.0.0.1:8080/hook', undefined],
    ['{{ secrets.url }}', undefined],
    [`https://${'a'.repeat(300)}.com/`, undefined],
  ])('a target at %s: %s', (url, origin) => expect(originFor({ url })).toBe(origin));

  test('a handshake with a certificate of the project is left to the call', () =>
    expect(originFor({ url: 'https://example.com/', tls: { ca: '{{ secrets.ca }}' } })).toBeUndefined());

  test('another type of target has none', () => {
    const job = aJob({ target: { type: 'sqs', queueUrl: 'https://sqs.us-east-1.amazonaws.com/1/q' } });
    expect(planResend(anOccurrenceEntry(), job).messages[0]).not.toHaveProperty('origin');
  });
});
