import { createInterface } from 'node:readline';

import { machineNow } from '../clock';
import { isGroupAlive, signalGroup, terminateGroup } from '../process-group';
import { actionAt, afterDeath, type GroupLimits, type WatchdogMessage } from './limits';

/** A sleeping machine fires no timer, so the clocks are read this often while there is a group. */
const TICK_MS = 250;

/** What the worker waits for before it claims anything. */
export const READY = 'ready\n';

/**
 * The process that ends commands if their worker cannot: it is killed or frozen. It
 * reads messages from stdin. The end of stdin is the end of the worker. Resolves when no group is left then.
 */
export async function runWatchdog(): Promise<void> {
  // A signal for all processes of a terminal or service is meant for the worker, which then ends in order.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const groups = new Map<number, GroupLimits>();
  const timer = setInterval(() => tick(groups), TICK_MS);
  process.stdout.on('error', () => undefined); // the worker has died: stdin ends too
  process.stdout.write(READY);
  for await (const line of createInterface({ input: process.stdin })) take(line, groups);
  const now = machineNow();
  for (const [group, limits] of groups) groups.set(group, afterDeath(limits, now));
  await new Promise<void>((resolve) => {
    const wait = setInterval(() => {
      tick(groups);
      for (const group of groups.keys()) if (!isGroupAlive(group)) groups.delete(group);
      if (groups.size > 0) return;
      clearInterval(wait);
      resolve();
    }, TICK_MS / 5);
  });
  clearInterval(timer);
}

function take(line: string, groups: Map<number, GroupLimits>): void {
  const message = JSON.parse(line) as WatchdogMessage;
  if ('forget' in message) groups.delete(message.forget);
  else groups.set(message.watch.group, message.watch);
}

function tick(groups: Map<number, GroupLimits>): void {
  const now = machineNow();
  for (const [group, limits] of groups) {
    const action = actionAt(limits, now);
    if (action === 'kill') signalGroup(group, 'SIGKILL');
    if (action !== 'terminate') continue;
    terminateGroup(group);
    groups.set(group, { ...limits, terminateAt: null });
  }
}
