import Ajv from 'ajv';
import addFormats from 'ajv-formats';

import { bodyOf } from '../../../../lambdas/core/alerts/format';
import {
  approvalMessage,
  executionMessage,
  type Message,
  summaryMessage,
  testMessage,
} from '../../../../lambdas/core/alerts/message';
import type { Tell } from '../../../../lambdas/core/domain/alert';
import type { NotificationFormat } from '../../../../lambdas/core/domain/notification';
import adaptiveCard from '../../../fixtures/notifications/adaptive-card-1.4.schema.json';
import blockKit from '../../../fixtures/notifications/block-kit.schema.json';
import { aJob, anExecution, T0_MS } from '../../../support/factories';

const ajv = addFormats(new Ajv({ strict: true, strictTypes: false }));
const isBlockKit = ajv.compile(blockKit);
const isCard = ajv.compile(adaptiveCard);

const context = { notification: 'ops', project: 'team/a&b', consoleUrl: 'https://api.example.com/console' };
/** A notification of a format. */
const of = (format: NotificationFormat) => ({
  format,
  target: { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/ops' } as const,
});
const ID = { id: 'message-1', atMs: T0_MS };
const tell: Tell = {
  kind: 'failed',
  execId: '20261201T083000.000Z',
  fence: 1,
  atMs: T0_MS,
  sinceMs: T0_MS,
  count: 3,
};

function failed(text: string): Message {
  const attempt = { attempt: 1, fence: 1, startedAtMs: T0_MS, finishedAtMs: T0_MS, target: 0 };
  const attempts = [{ ...attempt, outcome: 'fatal' as const, statusCode: 410, error: text }];
  const execution = anExecution({ status: 'failed', reason: 'fatal', attempts, finishedAtMs: T0_MS });
  const job = aJob({ name: text });
  return executionMessage(tell, execution, { jobKey: execution.jobKey, job }, { ...context, project: text });
}

/** A message tells a user why the job has failed, also where no attempt does. */
test.each([
  [3, 'exit code 3'],
  [undefined, 'its ping says that it has failed'],
])('the failure of a monitor that did not say that it starts has its exit code %s', (exitCode, error) => {
  const ping = { atMs: T0_MS, bytes: 0, count: 1, ...(exitCode !== undefined && { exitCode }) };
  const execution = anExecution({ status: 'failed', reason: 'target-failed', attempts: [], ping });
  const message = executionMessage(tell, execution, { jobKey: execution.jobKey, job: aJob() }, context);
  expect(message).toMatchObject({ execution: { error }, facts: expect.arrayContaining([['Error', error]]) });
});

function waits(text: string): Message {
  const run = { jobKey: 'alice/nightly-report', execId: `${tell.execId}/release` };
  const waiting = { kind: 'approval', ...run, sinceMs: T0_MS, untilMs: T0_MS, note: text } as const;
  const job = aJob({ name: text });
  return approvalMessage({ ...waiting, expiresAtSec: 0 }, job, { ...context, project: text });
}

/** All texts of a body, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

const attacks: [attack: string, text: string][] = [
  ['a mention of a channel', '<!channel> wake up'],
  ['a mention of a user', '<@U024BE7LH>'],
  ['a link in mrkdwn', '<https://evil.example|Open in the console>'],
  ['a link in Markdown', '[Open in the console](https://evil.example)'],
  ['HTML', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['a mention in Teams', '<at>everyone</at>'],
  ['an entity', '&lt;!here&gt;'],
  ['JSON', '"}],"blocks":[{"type":"actions"}]}'],
  ['a line break', 'failed\nApproved by: boss\r\n\tok'],
  ['a change of direction', 'safe\u202egnp.exe'],
  ['invisible characters', 'a\u200bb\u2060c\ufeffd'],
  ['control characters', 'red \u001b[31m bell \u0007 null \u0000'],
  ['a template', '{{ secrets.crm }} ${PATH} {{#if}}'],
  ['a very long text', '<&>'.repeat(10_000)],
  ['a long text of two code units each', '😀'.repeat(2_000)],
];

const messages: [what: string, of: (text: string) => Message][] = [
  ['a job and a target', failed],
  ['a job and the note of an approval', waits],
];
const cases = messages.flatMap(([what, messageOf]) =>
  attacks.map(([attack, text]) => [attack, what, messageOf(text)] as const),
);

describe.each(cases)('%s in the texts of %s', (_attack, _of, message) => {
  it('stays plain text in a message for Slack', () => {
    const body = bodyOf(message, of('slack'), ID) as { blocks: { text?: { type: string; text: string } }[] };
    expect(isBlockKit(body) || isBlockKit.errors).toBe(true);
    const markup = body.blocks
      .filter((block) => block.text?.type === 'mrkdwn')
      .map((block) => block.text!.text);
    expect(markup).toHaveLength(1);
    expect(markup[0]).toMatch(/^<https:\/\/api\.example\.com\/console\/jobs\/[^|<>]*\|Open in the console>$/);
    for (const plain of textsIn(body).filter((one) => one !== markup[0])) expect(plain).not.toMatch(/[<>]/);
  });

  it('stays plain text in a card for Teams', () => {
    const body = bodyOf(message, of('teams'), ID) as {
      attachments: { content: { actions: { url: string }[] } }[];
    };
    const card = body.attachments[0]!.content;
    expect(isCard(card) || isCard.errors).toBe(true);
    expect(card.actions.map(({ url }) => new URL(url).origin)).toEqual(['https://api.example.com']);
    for (const plain of textsIn(card)) expect(plain).not.toMatch(/[<>]/);
  });

  it('is one line of at most 500 characters, in each format', () => {
    const { job, execution, approval } = message;
    const body = bodyOf(message, of('json'), ID);
    const shown = execution ? execution.error : approval?.note;
    for (const plain of [job?.name, shown]) {
      if (typeof plain !== 'string') throw new Error('the message lacks a text');
      expect(plain).not.toMatch(/[<>\p{Cc}\p{Cf}]|&(?!amp;|lt;|gt;)/u);
      expect(Array.from(plain.replaceAll(/&(?:amp|lt|gt);/g, '+')).length).toBeLessThanOrEqual(500);
    }
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(16_000);
  });
});

test.each(['slack', 'teams', 'json'] as const)('summaries and tests have the format %s', (format) => {
  for (const message of [summaryMessage(60, 20, T0_MS, context), testMessage(context), waits('ok?')]) {
    const body = bodyOf(message, of(format), ID) as { attachments?: { content: unknown }[] };
    if (format === 'slack') expect(isBlockKit(body) || isBlockKit.errors).toBe(true);
    else if (format === 'teams') expect(isCard(body.attachments![0]!.content) || isCard.errors).toBe(true);
    else expect(body).toMatchObject({ type: 'quarterjack.notification', version: 1, kind: message.kind });
  }
});

test.each([failed, waits])('a link names the execution and the project, and decides nothing', (messageOf) => {
  expect(messageOf('team/a&b').url).toBe(
    'https://api.example.com/console/jobs/nightly-report/executions/20261201T083000.000Z?project=team%2Fa%26b',
  );
});
