import { createHash } from 'node:crypto';

import type { ImportedNotification } from '../imported';

/** Tag of the jobs whose crontab says `MAILTO`: the notifications select by it. */
export const MAIL_TAG = 'mailto';
const MAX_TAG = 256;
const HASH_LENGTH = 8;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** The value of the tag; undefined for a crontab whose mail goes to no address. */
export const mailTagOf = (mailTo: string | undefined): string | undefined => {
  const value = mailTo?.trim() ?? '';
  return value !== '' && value.length <= MAX_TAG && addressesOf(value).length > 0 ? value : undefined;
};

/** Those that are addresses: cron also mails to users of the machine, which no notification can. */
export const addressesOf = (mailTo: string): string[] =>
  mailTo
    .split(',')
    .map((one) => one.trim())
    .filter((one) => ADDRESS.test(one));

export const localUsersOf = (mailTo: string): string[] =>
  mailTo
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !ADDRESS.test(one));

/** One notification for each address. Its id is the same for each crontab with the same `MAILTO`. */
export function mailsOf(mailTo: string, source: string): ImportedNotification[] {
  return addressesOf(mailTo).map((to) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([mailTo, to]))
      .digest('hex');
    return {
      source,
      id: `${MAIL_TAG}-${hash.slice(0, HASH_LENGTH)}`,
      definition: {
        on: ['failed', 'recovered'],
        filter: { tag: `${MAIL_TAG}:${mailTo}` },
        target: { type: 'email', to },
      },
    };
  });
}
