const [major] = process.versions.node.split('.');

// Newer versions of V8 wait by themselves, and do not know the flag.
const OPTIMIZED_LATER = Number(major) < 22 ? ['--interrupt-budget=1000000'] : [];

exports.V8_FLAGS = ['--max-semi-space-size=64', ...OPTIMIZED_LATER];

exports.V8_FLAGS_OF_RUNS = ['--single-threaded-gc', ...OPTIMIZED_LATER];
