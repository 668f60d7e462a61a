import { type Job, targetsOf } from '../../core/domain/job';
import { addressOf, type Target } from '../../core/domain/target';

/** Whether the id, the name, a tag or a target of a job contains a text, whatever its case. */
export function hasText(job: Job, text: string): boolean {
  const wanted = folded(text);
  return textsOf(job).some((one) => folded(one).includes(wanted));
}

/** Equal for texts that readers take for the same: `ﬁ` and `FI`, `ß` and `SS`. */
const folded = (text: string): string => text.normalize('NFKC').toUpperCase();

function textsOf(job: Job): string[] {
  const tags = Object.entries(job.tags).map(([key, value]) => `${key}:${value}`);
  return [job.jobId, job.name ?? '', ...tags, ...targetsOf(job).map(searchedIn)];
}

/**
 * Host and path of a URL, without its scheme, user and query; of any other target, its whole address. A
 * secret in it is the text that names the secret.
 */
function searchedIn(target: Target): string {
  const address = addressOf(target);
  if (target.type !== 'http') return address;
  return address
    .replace(/[?#].*$/s, '')
    .replace(/^https?:\/\//i, '')
    .replace(/^[^/]*@/, '');
}
