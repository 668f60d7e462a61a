import type { Definition } from '../../schedules-as-code/definition';
import type { AllowedEntry } from '../action';

/** What a target calls. */
export interface Called {
  target: Definition;
  payload: unknown;
  /** ARNs of what is called; none if no ARN can be made of what names it. */
  called: string[];
  /** Only of an action: what the deployment has to allow. */
  allowed?: AllowedEntry;
  /** The input has templates in place of what AWS fills in. */
  templates?: true;
  /** For work that is waited for. */
  timeout?: string;
  /** What AWS retries is another thing. */
  maxAttempts?: number;
}

export interface TranslatedTarget extends Called {
  notes: string[];
}
