import { useEffect, useState } from 'preact/hooks';

import type { JobSummary } from '../../client/browser';
import { findJobs } from '../api/jobs';
import { Dialog } from '../parts/dialog';
import { Icon } from '../parts/icons';
import { paths } from './address';
import { useGo } from './go';
import { recentPages } from './recent';
import { shortcuts } from './shortcuts';

const AFTER_LAST_KEY_MS = 300;
const EXECUTION_ID = /^\d{8}T\d{6}\.\d{3}Z|^[0-9a-z]{10,}/i;

interface Found {
  text: string;
  about: string;
  open(): void;
}

/** Jumps to a job, an execution or a page, or does what the page can do. */
export function Find({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const go = useGo();
  const jobs = useFoundJobs(text);
  const open = (path: string) => () => {
    onClose();
    go(path);
  };
  const found = matches(text, jobs, open, onClose);
  const here = Math.min(at, found.length - 1);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt((here + step + found.length) % Math.max(1, found.length));
  };
  return (
    <Dialog title="Find" part="find-dialog" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          found[here]?.open();
        }}
      >
        <input
          class="field"
          aria-label="Job id or name, job/execution, or a page"
          placeholder="Job id or name, or job/execution"
          value={text}
          autoFocus
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
      </form>
      <div class="found">
        {found.map(({ text: words, about, open: choose }, index) => (
          <button key={words + about} type="button" class={index === here ? 'here' : ''} onClick={choose}>
            {words}
            <span class="quiet">{about}</span>
          </button>
        ))}
        {found.length === 0 && <p class="quiet">Nothing is found with “{text}”.</p>}
      </div>
      <p class="quiet">
        <Icon name="info" size={14} /> Jobs are found by a text of their id, name, tags, or target host and
        path.
      </p>
    </Dialog>
  );
}

/** Jobs with a text, a moment after the last key. A newer text aborts the request. */
function useFoundJobs(text: string): readonly JobSummary[] {
  const [jobs, setJobs] = useState<readonly JobSummary[]>([]);
  useEffect(() => {
    const q = text.split('/')[0]!.trim();
    if (q === '') return setJobs([]);
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findJobs(q, abort.signal).then(setJobs, () => setJobs([]));
    }, AFTER_LAST_KEY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return jobs;
}

function matches(
  text: string,
  jobs: readonly JobSummary[],
  open: (path: string) => () => void,
  onClose: () => void,
): Found[] {
  const [jobId = '', execId = ''] = text.trim().split('/');
  if (execId && EXECUTION_ID.test(execId))
    return [{ text: `${jobId}/${execId}`, about: 'execution', open: open(paths.execution(jobId, execId)) }];
  const byWords = (words: string) => words.toLowerCase().includes(text.trim().toLowerCase());
  const found = jobs.map(({ jobId: id, name }) => ({
    text: id,
    about: name ?? 'job',
    open: open(paths.job(id)),
  }));
  const pages = (text ? [] : recentPages()).map(({ path, title }) => ({
    text: title,
    about: 'recent',
    open: open(path),
  }));
  const actions = shortcuts()
    .filter(({ words }) => byWords(words))
    .map(({ words, keys, run }) => ({
      text: words,
      about: keys,
      open: () => {
        onClose();
        run();
      },
    }));
  return [...found, ...pages, ...actions].slice(0, 14);
}
