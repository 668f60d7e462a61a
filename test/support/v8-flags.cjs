const [major] = process.versions.node.split('.');

exports.V8_FLAGS = [
  '--max-semi-space-size=64',
  // Newer versions of V8 wait by themselves, and do not know the flag.
  ...(Number(major) < 22 ? ['--interrupt-budget=1000000'] : []),
];
