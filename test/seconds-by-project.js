/** Prints how long the test files of each project took together, the slowest project first. */
module.exports = class {
  onRunComplete(_, { testResults }) {
    const projects = new Map();
    for (const { displayName, perfStats } of testResults) {
      const name = displayName?.name ?? 'tests';
      const { files, ms } = projects.get(name) ?? { files: 0, ms: 0 };
      projects.set(name, { files: files + 1, ms: ms + perfStats.runtime });
    }
    const slowestFirst = [...projects].sort(([, a], [, b]) => b.ms - a.ms);
    const texts = slowestFirst.map(
      ([name, { files, ms }]) => `${name} ${(ms / 1_000).toFixed(0)} s (${files})`,
    );
    if (texts.length > 1)
      process.stdout.write(`Seconds of work by project, and files: ${texts.join(', ')}\n`);
  }
};
