/**
 * What the packages are called, and where their sources are. No registry has these names yet. If they change
 * here, a test lists each text that still has the old ones.
 */
export const CLIENT = 'quarterjack';
export const SCOPE = '@quarterjack';
export const REPOSITORY = 'https://github.com/quarterjack/quarterjack';

export const CLI = `${SCOPE}/cli`;
export const CDK = `${SCOPE}/cdk`;

/** The file that `npm pack` makes of a package. */
export const tarballOf = (name, version) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** Each package by its folder in `dist/packages`. */
export const PACKAGES = { client: CLIENT, cli: CLI, cdk: CDK };
