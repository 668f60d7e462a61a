import { later } from '../../app/page';

/** What asks before a retry: its file is loaded when it is asked for. */
export const RetryDialog = later(async () => (await import('./retry-dialog')).RetryDialog, 0);
