import { useLocation } from 'wouter-preact';

import type { FailureGroups } from '../../client/browser';
import { useFailureGroups } from '../api/failures';
import { useMe } from '../api/project';
import { Icon, type IconName } from '../parts/icons';
import { count } from '../time/format';
import { Go } from './go';
import { Account } from './account';
import { place } from './place';

interface Place {
  to: string;
  text: string;
  icon: IconName;
}

const WORK: readonly Place[] = [
  { to: '/', text: 'Today', icon: 'today' },
  { to: '/jobs', text: 'Jobs', icon: 'jobs' },
  { to: '/executions', text: 'Executions', icon: 'executions' },
  { to: '/failures', text: 'Failures', icon: 'failures' },
  { to: '/workflows', text: 'Workflows', icon: 'workflows' },
  { to: '/backfills', text: 'Backfills', icon: 'backfills' },
  { to: '/ordering-keys', text: 'Ordering keys', icon: 'keys' },
  { to: '/concurrency-keys', text: 'Concurrency keys', icon: 'slots' },
  { to: '/queues', text: 'Workers', icon: 'workers' },
];
const SET_UP: readonly Place[] = [
  { to: '/calendars', text: 'Calendars', icon: 'calendar' },
  { to: '/settings', text: 'Settings', icon: 'settings' },
];
const DEPLOYMENT: Place = { to: '/deployment', text: 'Deployment', icon: 'deployment' };

/** The pages at the left. The deployment is for its operators. */
export function Navigation() {
  const { data: me } = useMe();
  const isOperator = me?.scopes.includes('admin') ?? false;
  return (
    <nav class="side" aria-label="Main" data-part="navigation">
      <Go to="/" class="brand">
        <img src="/console/mark.svg" width="22" height="22" alt="" />
        Quarterjack
      </Go>
      <div class="links">
        {WORK.map((place) => (
          <PlaceLink key={place.to} {...place} />
        ))}
        <p class="label">Set-up</p>
        {[...SET_UP, ...(isOperator ? [DEPLOYMENT] : [])].map((place) => (
          <PlaceLink key={place.to} {...place} />
        ))}
      </div>
      <Account />
    </nav>
  );
}

function PlaceLink({ to, text, icon }: Place) {
  const [path] = useLocation();
  const here = place.value ?? path;
  const isHere = to === '/' ? here === '/' : here === to || here.startsWith(`${to}/`);
  return (
    <Go to={to} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
      {to === '/failures' && <FailureCount />}
    </Go>
  );
}

/** A cause that no user knows about. */
const isOpen = ({ status, ack }: FailureGroups['groups'][number]): boolean =>
  status === 'failed' && ack === null;

function FailureCount() {
  const { data } = useFailureGroups();
  const open = (data?.groups ?? []).filter(isOpen).reduce((sum, one) => sum + one.count, 0);
  if (open === 0) return null;
  return (
    <span class="count">
      {count(open)}
      {data?.complete === false && '+'}
      <span class="hidden"> failed in the last 24 hours</span>
    </span>
  );
}
