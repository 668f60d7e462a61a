import type { ComponentType } from 'preact';

import { type Scope, useCan, useMe } from '../../api/project';
import { Go } from '../../app/go';
import { Note, Title } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Empty, Skeleton } from '../../parts/states';
import { ApiKeys } from './api-keys';
import { Audit } from './audit';
import { Notifications } from './notifications';
import { PreferencesCard } from './preferences-card';
import { ProjectCards } from './project-cards';
import { Secrets } from './secrets';
import { Signing } from './signing';

interface Section {
  path: string;
  text: string;
  page: ComponentType;
  /** Without it, the page says so. */
  needs?: Scope;
}

const SECTIONS: readonly Section[] = [
  { path: '', text: 'Project and you', page: ProjectCards },
  { path: 'preferences', text: 'Preferences', page: PreferencesCard },
  { path: 'keys', text: 'API keys', page: ApiKeys, needs: 'project:admin' },
  { path: 'secrets', text: 'Secrets', page: Secrets, needs: 'project:admin' },
  { path: 'signing', text: 'Signing', page: Signing, needs: 'jobs:write' },
  { path: 'notifications', text: 'Notifications', page: Notifications, needs: 'project:admin' },
  { path: 'audit', text: 'Audit', page: Audit, needs: 'project:admin' },
];

export default function Settings({ section }: { section: string }) {
  const found = SECTIONS.find(({ path }) => path === section);
  return (
    <>
      <Title>Settings</Title>
      <nav class="tabs" aria-label="Sections of the settings" data-part="tabs">
        {SECTIONS.map(({ path, text }) => (
          <Go
            key={path}
            to={`/settings${path && `/${path}`}`}
            aria-current={path === found?.path ? 'page' : undefined}
          >
            {text}
          </Go>
        ))}
      </nav>
      {found ? <Content section={found} /> : <Empty title={`The settings have no section “${section}”.`} />}
    </>
  );
}

function Content({ section: { page: Page, needs } }: { section: Section }) {
  const can = useCan();
  const { data: me } = useMe();
  if (!me) return <Skeleton height={300} />;
  if (needs === undefined || can(needs)) return <Page />;
  return (
    <Note icon={<Icon name="info" />}>
      <span data-part="needs-scope">This needs the scope {needs}, of your role and of your token.</span>
    </Note>
  );
}
