import { randomUUID } from 'node:crypto';

import { ERRAND_SERVICES } from '../../../lambdas/core/contracts/errand-services';
import { batch } from '../../../lambdas/core/delivery/errands/batch';
import { codebuild } from '../../../lambdas/core/delivery/errands/codebuild';
import { ecs } from '../../../lambdas/core/delivery/errands/ecs';
import { resourcesOf } from '../../../lambdas/core/delivery/errands/errand-calls';
import type { ErrandKind, ErrandStart } from '../../../lambdas/core/delivery/errands/errand-kind';
import { glue } from '../../../lambdas/core/delivery/errands/glue';
import { ERRAND_RULES } from '../../../lambdas/core/domain/errand';
import { errandTypeOf } from '../../../lambdas/core/domain/long-call';
import type { ErrandTarget } from '../../../lambdas/core/domain/target';
import { type AwsEndpoint, startAwsEndpoint } from '../../../local/services/aws-endpoint';
import { Callers } from '../../../local/services/callers';
import { parseTaskScript } from '../../../local/services/ecs/scripts';
import { ExternalResources } from '../../../local/services/external-resources';
import { startStandIns, type StandIns } from '../../../local/services/start-stand-ins';
import type { EndEvent } from '../../../local/services/step-functions/execution';
import { workScriptParser } from '../../../local/services/works/scripts';
import { eventRules } from '../../../local/sources/event-rules';
import { RuleProperties } from '../../../local/template/types/events';
import { describeErrandService } from '../../conformance/errand-services.suite';

/*
 * Each kind by its client of AWS, against the stand-in of its service. What the kinds rely on, and what the
 * local run does, is the same.
 */

const HERE = (service: string) => `arn:aws:${service}:us-east-1:000000000000`;
const TARGETS: readonly (readonly [ErrandKind, ErrandTarget])[] = [
  [
    ecs,
    {
      type: 'ecs',
      taskDefinitionArn: `${HERE('ecs')}:task-definition/report`,
      clusterArn: `${HERE('ecs')}:cluster/jobs`,
      container: 'app',
    },
  ],
  [
    batch,
    {
      type: 'batch',
      jobDefinitionArn: `${HERE('batch')}:job-definition/report`,
      jobQueueArn: `${HERE('batch')}:job-queue/spot`,
    },
  ],
  [glue, { type: 'glue', glueJobArn: `${HERE('glue')}:job/report`, arguments: { '--day': '7' } }],
  [codebuild, { type: 'codebuild', projectArn: `${HERE('codebuild')}:project/report` }],
];

let endpoint: AwsEndpoint;
let standIns: StandIns;
const events: EndEvent[] = [];
const before = { ...process.env };

beforeAll(async () => {
  const callers = new Callers();
  endpoint = await startAwsEndpoint(callers, (line) => {
    throw new Error(line);
  });
  const { accessKeyId, secretAccessKey } = callers.issue();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
  const clock = { nowMs };
  standIns = startStandIns(
    {
      ecsTasks: [parseTaskScript('*=1h')],
      batchJobs: [workScriptParser('batch')('*=1h')],
      glueJobs: [workScriptParser('glue')('*=1h')],
      builds: [workScriptParser('codebuild')('*=1h')],
    },
    {
      clock,
      newId: randomUUID,
      publish: async (event) => void events.push(event),
      external: new ExternalResources({ clock, newId: randomUUID, onFirst: () => undefined }),
      aws: { region: 'us-east-1', accountId: '000000000000' },
      serve: (service) => endpoint.serve(service),
      fileOf: () => undefined,
    },
  );
});
afterAll(async () => {
  process.env = before;
  for (const one of standIns.working) one.stop();
  await endpoint.stop();
});

let count = 0;
/** Time that a test has passed. */
let laterMs = 0;
const nowMs = (): number => Date.now() + laterMs;
const call = { region: 'us-east-1', role: undefined, signal: new AbortController().signal };

describe.each(TARGETS.map(([kind, target]) => [target.type, kind, target] as const))(
  '%s',
  (_, kind, target) => {
    const type = errandTypeOf(target)!;
    const newStart = (): ErrandStart => ({
      type,
      name: `qj-0a1b2c-${String(++count).padStart(40, '0')}-0`,
      ...resourcesOf(target),
      target,
      input: '{"n":1}',
      limitMs: 3_600_000,
      run: { deliveryId: 'd', jobKey: 'billing/report', execId: 'e', dueAtMs: 0 },
    });
    const known = ({ name, resource, runsIn }: ErrandStart, id?: string) => ({
      ...{ name, resource, ...(runsIn !== undefined && { runsIn }), firstStartAtMs: nowMs() - 1_000 },
      ...(id !== undefined && { id }),
    });
    async function started(start = newStart()): Promise<{ start: ErrandStart; id: string }> {
      const answer = await kind.start(start, call);
      expect(answer).toEqual({ how: 'started', id: expect.any(String) as string });
      return { start, id: (answer as { id: string }).id };
    }
    const arnOf = (name: string): string =>
      standIns.working.flatMap((one) => one.page()).find((work) => work.name === name)!.arn;
    const press = (name: string, act: Parameters<(typeof standIns.working)[number]['press']>[1]): void =>
      expect(standIns.working.map((one) => one.press(arnOf(name), act)).filter(Boolean)).toHaveLength(1);
    const eventOf = (name: string): EndEvent =>
      events.findLast((event) => JSON.stringify(event).includes(idOf(name)))!;
    const idOf = (name: string): string => arnOf(name).split(/[:/]/).at(-1)!;

    describeErrandService(type, () => ({
      newStart,
      start: (start) => kind.start(start, call),
      probe: (errand) => kind.probe({ ...errand, firstStartAtMs: nowMs() - 1_000 }, call),
      stop: (errand) => kind.stop(errand, 'enough', call),
      async end(name, how) {
        press(name, how === 'succeeded' ? 'end well' : 'end badly');
      },
      async pass(ms) {
        laterMs += ms;
      },
      async heard({ name }) {
        const { source, account, region, detail } = eventOf(name);
        return kind.ofEvent({ source, account, region, detail });
      },
    }));

    test.each(['end well', 'end badly'] as const)(
      '"%s": the event is that of what was started',
      async (act) => {
        const { start, id } = await started();
        press(start.name, act);
        const { source, account, region, detail } = eventOf(start.name);
        const heard = kind.ofEvent({ source, account, region, detail });
        const seen = await kind.probe(known(start, id), call);
        expect(heard).toMatchObject({ id, end: seen.state === 'ended' ? seen.end : {} });
        const { isSame = (one: string, other: string) => one === other } = kind;
        expect(isSame(start.resource, heard!.resource)).toBe(true);
      },
    );

    test('its rules say whether one question may be about several, and each has its own answer', async () => {
      expect(kind.probeMany !== undefined).toBe(ERRAND_RULES[type].isAskedTogether === true);
      const [one, other] = [await started(), await started()];
      press(other.start.name, 'end badly');
      const all = [one, other].map(({ start, id }) => ({ ...known(start), id }));
      const seen = await Promise.all(all.map((errand) => kind.probe(errand, call)));
      expect(seen.map(({ state }) => state)).toEqual(['running', 'ended']);
      if (kind.probeMany) expect(await kind.probeMany(all, call)).toEqual(seen);
    });

    test('the rule of the watcher lets the events of errands through, and no other', async () => {
      const { events: wanted } = ERRAND_SERVICES[type];
      const { EventPattern: pattern } = RuleProperties.parse({
        EventPattern: {
          source: [wanted.source],
          'detail-type': [wanted.detailType],
          detail: { ...wanted.detail, ...(wanted.nameIn !== undefined && { [wanted.nameIn]: ['report'] }) },
        },
        Targets: [],
      });
      const passed: string[] = [];
      const rule = { logicalId: 'R', name: 'r', arn: 'r', enabled: true, pattern, queueArns: ['q'] };
      const pass = eventRules([rule], {
        access: { allowsService: () => true },
        accountId: '000000000000',
        send: async (_, body) => void passed.push(body),
        onError: (line) => {
          throw new Error(line);
        },
      });
      const { start } = await started();
      press(start.name, 'end well');
      const event = eventOf(start.name);
      await pass(event);
      expect(passed).toHaveLength(1);
      const foreign = JSON.stringify(event)
        .replaceAll('qj-', 'my-')
        .replaceAll('"jobName":"report"', '"jobName":"x"');
      await pass(JSON.parse(foreign) as EndEvent);
      expect(passed).toHaveLength(1);
    });
  },
);
