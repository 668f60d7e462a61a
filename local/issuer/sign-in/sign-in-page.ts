/** A scope as the page shows it, ticked if the program asked for it. */
const WORDS: readonly (readonly [scope: string, words: string])[] = [
  ['jobs:read', 'read jobs'],
  ['jobs:write', 'change jobs'],
  ['runs:operate', 'run, retry and cancel'],
  ['runs:approve', 'approve'],
  ['work', 'work as a worker'],
  ['project:admin', 'manage keys, secrets and audit'],
  ['admin', 'stop and start the deployment'],
];
/** The scopes that the page can grant. */
export const GRANTABLE: readonly string[] = WORDS.map(([scope]) => scope);
/** Those of an owner of a project: all but that of the deployment's operators. */
export const OWNER_SCOPE = GRANTABLE.filter((scope) => scope !== 'admin').join(' ');

interface PageInput {
  /** The query of the request, which the form sends back. */
  query: string;
  /** Scopes that the program asks for, separated by spaces. */
  scope: string;
  user?: string;
  /** The code of the run, if the request has it. */
  code?: string;
  /** What was wrong with the last try. */
  problem?: string;
}

/** The sign-in page: a form without scripts. It asks for the run's code, so that only its owner signs in. */
export function signInPage({ query, scope, user = '', code = '', problem }: PageInput): string {
  // Cognito spells them with the name of their resource server.
  const bare = scope.split(' ').map((one) => one.replace(/^.*\//, ''));
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Sign in to the local run</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/_local/sign-in.css" />
  </head>
  <body>
    <main>
      <h1>Sign in to the local run</h1>
      <p>This page stands in for your issuer. It answers on this machine only.</p>
      ${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
      <form method="post" action="/_local/sign-in?${escaped(query)}">
        <label>User <input name="user" value="${escaped(user)}" required maxlength="200" autofocus autocomplete="username" /></label>
        <label>Code <input name="code" value="${escaped(code)}" required maxlength="20" autocomplete="off" spellcheck="false" /></label>
        <p class="hint"><code>npm start</code> prints the code of this run.</p>
        <label>Groups <input name="groups" maxlength="2000" placeholder="project:billing:editor" spellcheck="false" /></label>
        <p class="hint">Only for a run with <code>--projects groups</code>.</p>
        <fieldset>
          <legend>The program may</legend>
          ${WORDS.map(([name, words]) => checkbox(name, words, bare.includes(name))).join('\n          ')}
        </fieldset>
        <button>Sign in</button>
      </form>
      <p class="hint">A token for scripts: <code>npm run --silent token -- --user alice</code></p>
    </main>
  </body>
</html>
`;
}

const checkbox = (scope: string, words: string, isTicked: boolean): string =>
  `<label class="check"><input type="checkbox" name="scope" value="${scope}"${isTicked ? ' checked' : ''} /> ${words}</label>`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
