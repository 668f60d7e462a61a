import type { ApiKey, AuditRecord, Notification, Secret } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

const MOST = 100;

/** API keys of the project, without their secrets. */
export const useApiKeys = (): Polled<ApiKey[]> =>
  usePolled({
    key: ['api-keys', project.value],
    load: (signal) => call((api) => api.apiKeys.list({ signal }).toArray(MOST)),
    every: () => false,
  });

/** Secrets for targets, without their values. */
export const useSecrets = (): Polled<Secret[]> =>
  usePolled({
    key: ['secrets', project.value],
    load: (signal) => call((api) => api.secrets.list({ limit: MOST }, { signal }).toArray(MOST)),
    every: () => false,
  });

/** What tells of problems, and how. */
export const useNotifications = (): Polled<Notification[]> =>
  usePolled({
    key: ['notifications', project.value],
    load: (signal) => call((api) => api.notifications.list({ limit: MOST }, { signal }).toArray(MOST)),
    every: () => false,
  });

/** The newest records of the audit. */
export const useAudit = (): Polled<AuditRecord[]> =>
  usePolled({
    key: ['audit', project.value],
    load: (signal) => call((api) => api.audit({ limit: MOST }, { signal }).toArray(MOST)),
    every: () => 60_000,
  });
