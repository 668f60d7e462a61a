const LANGUAGES = ['typescript', 'python', 'go'];
const NOT_RUN = / \(not run: (.*)\)$/;
const SIGNS = { passed: 'ok', failed: 'FAILED' };

/** Prints each case of the SDKs with its outcome in each language, and why a case was not run. */
module.exports = class {
  onRunComplete(_, { testResults }) {
    const cases = new Map();
    const reasons = new Map();
    for (const { displayName, testFilePath, testResults: tests } of testResults) {
      if (displayName?.name !== 'sdk') continue;
      const language = LANGUAGES.find((one) => testFilePath.endsWith(`/${one}.test.ts`));
      for (const { ancestorTitles, title, status } of tests) {
        const [, reason] = NOT_RUN.exec(title) ?? [];
        const name = [...ancestorTitles, title.replace(NOT_RUN, '')].join(': ');
        cases.set(name, { ...cases.get(name), [language]: SIGNS[status] ?? (reason ? 'not run' : status) });
        if (reason) reasons.set(`${language}: ${reason}`, (reasons.get(`${language}: ${reason}`) ?? 0) + 1);
      }
    }
    if (cases.size > 0) process.stdout.write(`${tableOf(cases)}${reasonsOf(reasons)}\n`);
  }
};

function tableOf(cases) {
  const rows = [['case', ...LANGUAGES]];
  for (const [name, outcomes] of cases) rows.push([name, ...LANGUAGES.map((one) => outcomes[one] ?? '')]);
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at])).join('  ')}\n`).join('');
}

const reasonsOf = (reasons) =>
  [...reasons].map(([reason, count]) => `Not run, ${count} cases of ${reason}\n`).join('');
