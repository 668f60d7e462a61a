/**
 * Rules of our own for oxlint: time and randomness enter a stage as arguments, so that tests and the
 * simulation own them. What only computes with a given instant (`new Date(ms)`, `Date.UTC`, `Date.parse`) is
 * free.
 */
const MEMBERS = {
  Date: new Set(['now']),
  performance: new Set(['now', 'timeOrigin', 'mark', 'measure']),
  Math: new Set(['random']),
  crypto: new Set(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues']),
  process: new Set(['hrtime', 'uptime']),
  AbortSignal: new Set(['timeout']),
};
const IMPORTS = new Set([
  'performance',
  'randomUUID',
  'randomBytes',
  'randomInt',
  'getRandomValues',
  'webcrypto',
]);
const CALLS = new Set(['Date', 'setTimeout', 'setInterval', 'setImmediate']);
const TIMERS = /^(node:)?timers(\/promises)?$/;

const noAmbientTime = {
  meta: { type: 'problem', docs: { description: 'time and randomness come from lambdas/core/clock' } },
  create(context) {
    const refuse = (node, what) =>
      context.report({ node, message: `${what} reads the machine: take a Clock or a Random as an argument` });
    return {
      MemberExpression(node) {
        const { object, property } = node;
        const owner =
          object.type === 'MemberExpression' && object.object.name === 'globalThis'
            ? object.property
            : object;
        const name = property.type === 'Literal' ? property.value : property.name;
        if (owner.type === 'Identifier' && MEMBERS[owner.name]?.has(name))
          refuse(node, `${owner.name}.${name}`);
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) refuse(node, 'new Date()');
      },
      CallExpression(node) {
        if (CALLS.has(node.callee.name)) refuse(node, `${node.callee.name}()`);
      },
      ImportDeclaration(node) {
        if (TIMERS.test(node.source.value)) refuse(node, node.source.value);
        if (!/^(node:)?(crypto|perf_hooks)$/.test(node.source.value)) return;
        for (const { imported } of node.specifiers)
          if (imported && IMPORTS.has(imported.name)) refuse(node, imported.name);
      },
    };
  },
};

/**
 * zod speaks fifty languages, 324 kB of a bundle. `import { z }` takes all of them in, and so does a value
 * out of `z.core` or `z.locales`; `import * as z from 'zod'` and `import * as core from 'zod/v4/core'` take
 * what is used.
 */
const zodAsNamespace = {
  meta: { type: 'problem', docs: { description: "import * as z from 'zod', and core from 'zod/v4/core'" } },
  create: (context) => ({
    ImportDeclaration(node) {
      const { value } = node.source;
      if (value !== 'zod' && value !== 'zod/mini') return;
      for (const specifier of node.specifiers)
        if (specifier.type !== 'ImportNamespaceSpecifier')
          context.report({ node: specifier, message: `write import * as z from '${value}'` });
    },
    MemberExpression(node) {
      if (node.object.name === 'z' && /^(core|locales)$/.test(node.property.name))
        context.report({ node, message: `import ${node.property.name} from 'zod/v4/${node.property.name}'` });
    },
  }),
};

/** Only `core/ending` calls the writes that end an execution (`StageDeps.ends`): see `ExecutionEnds`. */
const oneEnder = {
  meta: { type: 'problem', docs: { description: 'an execution is ended by endExecution or endUnstarted' } },
  create(context) {
    const report = (node) =>
      context.report({ node, message: 'end an execution by endExecution or endUnstarted of core/ending' });
    return {
      MemberExpression(node) {
        const { object } = node;
        if (object.type === 'MemberExpression' && object.property.name === 'ends') report(node);
      },
      ObjectPattern(node) {
        for (const { key } of node.properties) if (key?.name === 'ends') report(key);
      },
    };
  },
};

/**
 * A batch read may leave keys unprocessed, and these must not count as absent. So stages read rows by
 * `core/store/read-whole`, which throws for them.
 */
const wholeReads = {
  meta: { type: 'problem', docs: { description: 'batch reads of rows go through core/store/read-whole' } },
  create(context) {
    const report = (node) =>
      context.report({ node, message: 'read rows by core/store/read-whole: getMany may leave keys unread' });
    return {
      MemberExpression(node) {
        if (node.property.name === 'getMany') report(node);
      },
      ObjectPattern(node) {
        for (const { key } of node.properties) if (key?.name === 'getMany') report(key);
      },
    };
  },
};

const MAX_FUNCTION_LINES = 60;
const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** `describe(…)`, `describe.each(…)(…)` */
function isSuite({ callee }) {
  let called = callee;
  while (called.type === 'CallExpression' || called.type === 'MemberExpression')
    called = called.type === 'CallExpression' ? called.callee : called.object;
  return called.name === 'describe';
}

/**
 * For tests, in place of oxlint's own `max-lines-per-function`. A function that holds a suite, and the
 * callback of `describe`, are as long as their tests are many; each test in them is measured.
 */
const shortTestFunctions = {
  meta: {
    type: 'suggestion',
    docs: { description: `at most ${MAX_FUNCTION_LINES} lines in a test's function` },
  },
  create(context) {
    const suites = new Set();
    const check = (node) => {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines > MAX_FUNCTION_LINES && !suites.has(node))
        context.report({ node, message: `${lines} lines in one function: at most ${MAX_FUNCTION_LINES}` });
    };
    return {
      CallExpression(node) {
        if (!isSuite(node)) return;
        for (const argument of node.arguments) suites.add(argument);
        for (let above = node.parent; above; above = above.parent)
          if (FUNCTION.test(above.type)) suites.add(above);
      },
      'FunctionDeclaration:exit': check,
      'FunctionExpression:exit': check,
      'ArrowFunctionExpression:exit': check,
    };
  },
};

export default {
  meta: { name: 'quarterjack' },
  rules: {
    'no-ambient-time': noAmbientTime,
    'one-ender': oneEnder,
    'short-test-functions': shortTestFunctions,
    'whole-reads': wholeReads,
    'zod-as-namespace': zodAsNamespace,
  },
};
