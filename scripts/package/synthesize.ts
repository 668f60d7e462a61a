/** The synthesis of the `local` stage, for the build of the package. */
export { synthesize } from '../../local/template/synthesize';
