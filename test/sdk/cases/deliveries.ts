import { RECEIVER_SECRETS, receiverRequests, requestOf } from '../../support/receiver-requests';
import { SIGNED_AT_MS, signedDeliveries } from '../../support/signed-deliveries';
import type { Sdk } from '../suite/sdk';
import { OTHER_SECRET, SECRET, type SignedDelivery, signedDelivery } from '../suite/signed';

const NOW_MS = Date.parse('2026-12-01T09:00:00Z');

const verifyOf = ({ headers, body }: SignedDelivery, more: object = {}) => ({
  do: 'verify',
  secrets: [SECRET],
  headers,
  bodyBase64: Buffer.from(body).toString('base64'),
  nowMs: NOW_MS,
  ...more,
});

/** Which deliveries are genuine. */
export function deliveryCases(sdk: Sdk): void {
  describe('deliveries', () => {
    sdk.test('what another implementation has signed is genuine', async (driver) => {
      const seen: object[] = [];
      for (const { headers, body, hostSecrets: secrets } of signedDeliveries) {
        if (secrets.length === 0) continue;
        const delivery = { headers: Object.entries(headers), body };
        seen.push(await driver.do(verifyOf(delivery, { secrets, nowMs: SIGNED_AT_MS })));
        const stranger = verifyOf(delivery, { secrets: [OTHER_SECRET], nowMs: SIGNED_AT_MS });
        await expect(driver.do(stranger)).rejects.toMatchObject({ kind: 'signature' });
      }
      expect(seen[0]).toEqual({
        id: '4f9c2d1e8b7a6053f2e1d0c9b8a7968574635241',
        jobId: 'invoice-reminder-42',
        execId: '20261201T083000.000Z',
        attempt: 2,
        fence: 3,
        dueAt: '2026-12-01T08:30:00.000Z',
        body: '{"invoice":42,"text":"Grüße"}',
      });
      expect(seen.length).toBeGreaterThan(2);
    });

    sdk.test('the key of a run is what the program has called it', async (driver) => {
      const keyOf = async (text: string) => {
        const further = { 'quarterjack-key': text };
        const delivery = signedDelivery({ jobId: 'a', nowMs: NOW_MS, further });
        return ((await driver.do(verifyOf(delivery))) as { key?: string }).key;
      };
      expect(await keyOf(encodeURIComponent('unpaid 42/ü+%'))).toBe('unpaid 42/ü+%');
      expect(await keyOf('%C3')).toBe('%C3');
    });

    for (const request of receiverRequests)
      sdk.test(request.name, async (driver) => {
        const sent = requestOf(request, NOW_MS);
        const verified = driver.do(verifyOf(sent, { secrets: RECEIVER_SECRETS.split(' ') }));
        if (request.status === 204)
          expect(await verified).toMatchObject({ jobId: 'report', body: sent.body });
        else await expect(verified).rejects.toMatchObject({ kind: 'signature' });
      });

    sdk.test('hostile headers are not genuine, and break nothing', async (driver) => {
      const good = signedDelivery({ jobId: 'a', nowMs: NOW_MS });
      const names = ['webhook-signature', 'quarterjack-signature', 'webhook-timestamp', 'quarterjack-fence'];
      const values = [
        '',
        'v1,',
        'v1,AAAA',
        'v2,AAAA',
        '-1',
        '1e3',
        '9'.repeat(400),
        ' ',
        'ü',
        '\u0000',
        'NaN',
      ];
      for (const name of names)
        for (const value of values) {
          const headers = good.headers.map(([one, was]) => [one, one === name ? value : was]);
          const verified = driver.do(verifyOf({ ...good, headers: headers as never }));
          await expect(verified).rejects.toMatchObject({ kind: 'signature' });
        }
    });

    sdk.test('the time that may pass can be set', async (driver) => {
      const delivery = signedDelivery({ jobId: 'a', nowMs: NOW_MS - 20_000 });
      await expect(driver.do(verifyOf(delivery, { toleranceSec: 10 }))).rejects.toMatchObject({
        kind: 'signature',
      });
      expect(await driver.do(verifyOf(delivery, { toleranceSec: 30 }))).toMatchObject({ jobId: 'a' });
    });

    sdk.test('a malformed secret of the receiver is no forged delivery', async (driver) => {
      const delivery = signedDelivery({ jobId: 'a', nowMs: NOW_MS });
      for (const secrets of [[], ['not-a-secret'], ['whsec_%%%']])
        await expect(driver.do(verifyOf(delivery, { secrets }))).rejects.not.toMatchObject({
          kind: 'signature',
        });
    });

    sdk.test('a fence guard refuses what arrives after a later attempt', async (driver, { name: guard }) => {
      const admit = (id: string, fence: number) =>
        driver.do({
          ...verifyOf(signedDelivery({ jobId: 'a', id, fence, nowMs: NOW_MS })),
          do: 'admit',
          guard,
        });
      for (const fence of [2, 2, 5]) expect(await admit('one', fence)).toBeNull();
      await expect(admit('one', 4)).rejects.toMatchObject({ kind: 'stale-fence' });
      expect(await admit('two', 1)).toBeNull();
    });
  });
}
