import * as z from 'zod';

import { BUTTONS, type StandIn } from '../services/stand-in';

const Act = z.strictObject({ arn: z.string(), act: z.enum(BUTTONS) });

/** A service that does no work. Each knows its own by their ARNs. */
type Service = Pick<StandIn<never, never>, 'page' | 'press'>;

export interface MachinePage {
  /** Work of all services, the newest first. */
  read(): { executions: ReturnType<Service['page']> };
  /** Does what a button says. Undefined: there is no such work, or no such button. */
  act(body: unknown): object | undefined;
}

const MAX_SHOWN = 500;

/** What `/_local/machines` shows, and its buttons. */
export const machinePage = (services: readonly Service[]): MachinePage => ({
  read: () => ({
    executions: services
      .flatMap((one) => one.page())
      .sort((one, other) => other.startedMs - one.startedMs)
      .slice(0, MAX_SHOWN),
  }),
  act(body) {
    const parsed = Act.safeParse(body);
    if (!parsed.success) return undefined;
    const { arn, act } = parsed.data;
    for (const one of services) {
      const done = one.press(arn, act);
      if (done) return done;
    }
    return undefined;
  },
});
