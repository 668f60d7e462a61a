import { type Command, Option } from 'commander';

import { collect, tagFilters } from './flag-values';

/** The flags that select jobs, in every command that is about many of them. */
export interface JobFilterFlags {
  tag?: string[];
  prefix?: string;
  contains?: string;
  kind?: 'plain' | 'workflow' | 'worker' | 'monitor';
  pool?: string;
  target?: string;
}

export const addJobFilterFlags = (command: Command): Command =>
  command
    .option('--tag <key:value>', 'only jobs that have this tag; repeat it to require several', collect)
    .option('--prefix <text>', 'only jobs whose id or name starts with this text')
    .option('--contains <text>', 'only jobs with this text in their id, name, tags, or target host and path')
    .addOption(
      new Option('--kind <kind>', 'only jobs of this kind').choices([
        'plain',
        'workflow',
        'worker',
        'monitor',
      ]),
    )
    .option('--pool <name>', 'only jobs of this pool')
    .option('--target <text>', 'only jobs with this type of target or host, or whose URL or ARN starts so');

/** The filters of the API that the flags mean. */
export const jobFilterOf = ({ tag, prefix, contains, kind, pool, target }: JobFilterFlags) => ({
  tag: tagFilters(tag),
  q: prefix,
  contains,
  kind,
  pool,
  target,
});
