/**
 * `prepack` of the checkout. Its package.json depends on all that builds and deploys: a package made from it
 * would install more than 200 MB. The packages for users are built elsewhere, and have no dependencies.
 */
process.stderr.write(
  'npm pack: run this instead, which packs the client, the command line and the construct:\n\n  npm run package -- --pack\n\n',
);
process.exitCode = 1;
