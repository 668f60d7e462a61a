import { Document, isScalar, visit } from 'yaml';

import { isObject } from '../is-object';
import { calendarContent } from '../schedules-as-code/calendar-plan';
import { type Definition, definitionOf, withoutDefaults } from '../schedules-as-code/definition';
import { notificationContent } from '../schedules-as-code/notification-plan';
import { literal } from '../schedules-as-code/variables';
import { escapedHidden, jsonText } from '../terminal/printable';
import type { Project } from './read-project';

/** A file for `plan` and `apply`, with what a person has to know about it. */
export interface JobsFile {
  content: Record<string, unknown>;
  /** What the file cannot have, and has to be there before it is applied. */
  needed: { secrets: string[]; concurrencyKeys: string[] };
  /** What differs once the file is applied: one sentence, and the jobs that it is true of. */
  notes: { text: string; jobIds: string[] }[];
}

/** The file that defines what a project has. Fields with their defaults are left out. */
export function jobsFileOf({ jobs, calendars, notifications = [], api }: Project): JobsFile {
  const named = <One>(all: readonly One[], entryOf: (one: One) => [string, Definition]) =>
    Object.fromEntries(all.map(entryOf)) as Record<string, unknown>;
  const content = {
    ...(calendars.length > 0 && {
      calendars: named(calendars, (one) => [one.calendarId, calendarContent(one)]),
    }),
    ...(notifications.length > 0 && {
      notifications: named(notifications, (one) => [one.id, notificationContent(one)]),
    }),
    jobs: named(jobs, (job) => [
      job.jobId,
      { ...withoutDefaults(definitionOf(job), api), ...(job.status === 'paused' && { paused: true }) },
    ]),
  };
  return {
    content: literal(content) as JobsFile['content'],
    needed: neededBy(content),
    notes: notesOf(jobs),
  };
}

export const jobsFileText = ({ content }: JobsFile, format: 'json' | 'yaml'): string =>
  format === 'json' ? jsonText(content) : yamlText(content);

/** YAML in which no character is hidden: such a one would be lost on a terminal. */
function yamlText(content: Record<string, unknown>): string {
  const document = new Document(content, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (
        isScalar<unknown>(node) &&
        typeof node.value === 'string' &&
        escapedHidden(node.value) !== node.value
      )
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapedHidden(document.toString({ lineWidth: 0 }));
}

const SECRET = /\{\{\s*secrets\.([A-Za-z_][\w-]*)\s*\}\}/g;

/** What has the limits of a key that executions complete from their payloads: `crm.*`. */
const ruleOfKey = (key: string): string => key.replace(/\{\{.*$/, '*');

function neededBy(content: Record<string, unknown>): JobsFile['needed'] {
  const secrets = new Set<string>();
  const concurrencyKeys = new Set<string>();
  const search = (value: unknown): void => {
    if (typeof value === 'string') for (const [, name] of value.matchAll(SECRET)) secrets.add(name!);
    else if (Array.isArray(value)) value.forEach(search);
    else if (isObject(value)) {
      if (typeof value.concurrencyKey === 'string') concurrencyKeys.add(ruleOfKey(value.concurrencyKey));
      Object.values(value).forEach(search);
    }
  };
  search(content);
  return { secrets: [...secrets].sort(), concurrencyKeys: [...concurrencyKeys].sort() };
}

/** What counts from the change of a job counts anew in another project. */
function notesOf(jobs: Project['jobs']): JobsFile['notes'] {
  const kinds: [text: string, is: (schedule: Definition) => boolean][] = [
    ['the delay counts from when the file is applied', ({ type }) => type === 'delay'],
    [
      'the interval has no anchor, and counts from when the file is applied',
      ({ type, anchor }) => type === 'interval' && anchor === undefined,
    ],
    ['maxRuns counts from zero', ({ maxRuns }) => maxRuns !== undefined],
  ];
  return kinds.flatMap(([text, is]) => {
    const jobIds = jobs.filter(({ schedule }) => is(scheduleObject(schedule))).map(({ jobId }) => jobId);
    return jobIds.length > 0 ? [{ text, jobIds }] : [];
  });
}

/** Short forms of an interval have no anchor. */
const scheduleObject = (schedule: unknown): Definition =>
  isObject(schedule) ? schedule : { type: /^(?:rate\(|every\b)/.test(String(schedule)) ? 'interval' : '' };
