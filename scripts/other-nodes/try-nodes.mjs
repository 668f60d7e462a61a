/**
 * Runs the same suites on each version of Node.js: one after another on a version, and the versions side by
 * side, since suites wait much. `nodeOf` gets a program, `run` runs one suite with it and resolves to its
 * exit code, `print` gets a line of the report.
 *
 * A version that npm cannot install is skipped, and the report says so: that is no fault of the tried change.
 * Resolves to the exit code: 1 if a suite has failed.
 */
export async function tryNodes({ majors, suites, nodeOf, run, print, nowMs }) {
  const tryNode = async (major) => {
    const found = await nodeOf(major).then(
      (program) => ({ program }),
      (error) => ({ reason: (error.stderr || error.message).trim().split('\n')[0] }),
    );
    if (found.reason !== undefined) {
      print(`skipped: Node.js ${major}, which npm could not install: ${found.reason}`);
      return true;
    }
    const startedMs = nowMs();
    const failed = [];
    for (const suite of suites) if ((await run(found.program, suite)) !== 0) failed.push(suite.name);
    const seconds = Math.round((nowMs() - startedMs) / 1_000);
    const result = failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`;
    print(`Node.js ${major}: ${result}, after ${seconds} s`);
    return failed.length === 0;
  };
  const passed = await Promise.all(majors.map(tryNode));
  return passed.every(Boolean) ? 0 : 1;
}
