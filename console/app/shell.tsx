import { useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';

import { project } from '../api/client';
import { useMe } from '../api/project';
import { Failed } from '../parts/states';
import { Toasts } from '../parts/toast';
import type { SignInConfig } from '../session/config';
import { signOut } from '../session/session';
import { ChooseProject } from './account';
import { Find } from './find';
import { useGo } from './go';
import { bulkAtStart } from './kept-bulk';
import { later } from './page';
import { Help } from './help';
import { Navigation } from './navigation';
import { rightsText } from './rights';
import { Pages } from './routes';
import { type Shortcut, useShortcuts } from './shortcuts';
import { nextTheme } from './theme';
import { toggleLive, TopBar } from './top-bar';
import { addressZone } from './zone';

const GoOn = later(async () => (await import('./go-on')).GoOn, 0);

/** Everything around a page. */
export function Shell({ config }: { config: SignInConfig }) {
  useAddressValues();
  const { data: me, error, refetch } = useMe();
  if (!me && error)
    return (
      <div class="alone">
        <main class="card">
          <Failed error={error} again={refetch} />
          <p class="in">
            <button type="button" class="btn" onClick={() => void signOut()}>
              Sign out
            </button>
          </p>
        </main>
      </div>
    );
  if (me?.project === null && me.projects.length > 1) return <ChooseProject />;
  // The page asks for its data at once, beside the question who the caller is.
  const isOutdated = me !== undefined && me.version !== config.version;
  return <Frame isOutdated={isOutdated} rights={me && rightsText(me.scopes)} />;
}

/** Time zone and project stand in the address. */
function useAddressValues(): void {
  const query = new URLSearchParams(useSearch());
  addressZone.value = query.get('tz') ?? undefined;
  project.value = query.get('project') ?? undefined;
}

function Frame({ isOutdated, rights }: { isOutdated: boolean; rights: string | undefined }) {
  const [open, setOpen] = useState<'find' | 'help' | undefined>();
  const close = () => setOpen(undefined);
  useShortcuts(usePageKeys(setOpen));
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <Navigation />
      <TopBar onFind={() => setOpen('find')} onHelp={() => setOpen('help')} />
      <main id="main" tabIndex={-1}>
        {isOutdated && (
          <p class="stale" data-part="outdated">
            The deployment has another version than this page.
            <button type="button" class="btn small" onClick={() => location.reload()}>
              Reload
            </button>
          </p>
        )}
        {rights && (
          <p class="stale" data-part="read-only">
            {rights}
          </p>
        )}
        <Pages />
      </main>
      {bulkAtStart !== null && <GoOn />}
      {open === 'find' && <Find onClose={close} />}
      {open === 'help' && <Help onClose={close} />}
      <Toasts />
    </div>
  );
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function usePageKeys(open: (what: 'find' | 'help') => void): Shortcut[] {
  const go = useGo();
  const to = (keys: string, words: string, page: string): Shortcut => ({ keys, words, run: () => go(page) });
  return [
    { keys: '/', words: 'Find', run: () => open('find') },
    to('g t', 'Go to Today', '/'),
    to('g j', 'Go to Jobs', '/jobs'),
    to('g e', 'Go to Executions', '/executions'),
    to('g f', 'Go to Failures', '/failures'),
    to('g w', 'Go to Workflows', '/workflows'),
    to('g b', 'Go to Backfills', '/backfills'),
    to('g k', 'Go to Ordering keys', '/ordering-keys'),
    to('g n', 'Go to Concurrency keys', '/concurrency-keys'),
    to('g q', 'Go to Workers and queues', '/queues'),
    to('g c', 'Go to Calendars', '/calendars'),
    to('g s', 'Go to Settings', '/settings'),
    to('g d', 'Go to Deployment', '/deployment'),
    { keys: '.', words: 'Updates on or off', run: toggleLive },
    { keys: 'z', words: 'Choose the time zone', run: () => focus('zone') },
    { keys: 't', words: 'Next theme', run: nextTheme },
    { keys: '?', words: 'Show the keys', run: () => open('help') },
  ];
}

const focus = (part: string): void => document.querySelector<HTMLElement>(`[data-part="${part}"]`)?.focus();
