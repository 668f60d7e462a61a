/**
 * `prepack` of the checkout. Its package.json depends on all that builds and deploys: a package made from it
 * would install more than 200 MB. The package for users is built elsewhere and has no dependencies.
 */
process.stderr.write(
  'npm pack: run this instead, which packs the client and the command line:\n\n  npm run package -- --pack\n\n',
);
process.exitCode = 1;
