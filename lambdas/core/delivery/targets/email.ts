import type { EmailTarget } from '../../domain/target';
import type { TargetType } from './target-type';

/** The schema has checked the address, and the owner of the address confirms it. */
export const email: TargetType<EmailTarget> = { field: 'to', check: () => ({ ok: true }) };
