import { useState } from 'preact/hooks';

import type { SigningSecret } from '../../../client/browser';
import { call } from '../../api/client';
import { useCan } from '../../api/project';
import { useAction } from '../../parts/action';
import { Card, Note } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { Instant } from '../../parts/instant';
import { Labelled } from '../../parts/labelled';

/** The secret that receivers check signatures with. It is asked for when it is shown, and never kept. */
export function Signing() {
  const [host, setHost] = useState('');
  const [shown, setShown] = useState<SigningSecret>();
  const can = useCan();
  const options = host.trim() ? { host: host.trim() } : {};
  const reveal = useAction(async () => {
    setShown(await call((api) => api.signingSecret(options)));
    return undefined;
  });
  const rotate = useAction(async () => {
    setShown(await call((api) => api.rotateSigningSecret(options)));
    return 'There is a new secret. For one day, the old one signs along.';
  });
  return (
    <Card part="signing" title="Signing secret">
      <Form class="form narrow-form" onSubmit={reveal.run}>
        <Labelled text="Host" hint="hooks.example.com; empty: the legacy secret of the project">
          <input
            class="field"
            value={host}
            spellcheck={false}
            onInput={(event) => {
              setHost(event.currentTarget.value);
              setShown(undefined);
            }}
          />
        </Labelled>
        {shown && <Shown secret={shown} onHide={() => setShown(undefined)} />}
        <p class="acts">
          <button class="btn first" disabled={reveal.isBusy}>
            Show
          </button>
          {can('jobs:write') && (
            <button type="button" class="btn" disabled={rotate.isBusy} onClick={() => void rotate.run()}>
              Rotate
            </button>
          )}
        </p>
      </Form>
    </Card>
  );
}

function Shown({
  secret: { host, secret, version, signingAlong },
  onHide,
}: {
  secret: SigningSecret;
  onHide(): void;
}) {
  return (
    <>
      <pre class="code" data-part="secret">
        {secret}
      </pre>
      <p class="acts">
        <CopyButton text={() => secret}>Copy</CopyButton>
        <button type="button" class="btn small" onClick={onHide}>
          Hide
        </button>
        <span class="quiet">
          {host ?? 'legacy'}, version {version}
        </span>
      </p>
      {signingAlong.map((one) => (
        <Note key={one.version} icon={<Icon name="clock" />}>
          Version {one.version} signs along until <Instant at={one.until} />.
        </Note>
      ))}
    </>
  );
}
