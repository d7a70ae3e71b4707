import { registerHooks } from 'node:module';
import { record as recorded } from '../../../src/faces/cli/record.ts';
import { prepareFile as prepared } from '../../../src/tools/apply/prepared-file.ts';

export { recorded, systemUser } from '../../../src/faces/cli/record.ts';

const kill = () => process.kill(process.pid, 'SIGKILL');

/** How many events are written before the process is killed, with `KILLED_AT=events`. */
const DONE = 5;
let done = 0;

/** Loaded into a command first. It replaces the writer of events: after some of them the process is killed. */
export const record: typeof recorded = async (unit, at, event) => {
  await recorded(unit, at, event);
  done += 1;
  if (done === DONE && process.env.KILLED_AT === 'events') kill();
};

/** Replaces the writer of files: with `KILLED_AT=rename` the process is killed where a new file would take its place. */
export const prepareFile: typeof prepared = (...given) => {
  const file = prepared(...given);
  return process.env.KILLED_AT === 'rename' ? { ...file, replace: kill } : file;
};

const REPLACED = /\/(record|prepared-file)\.ts$/;

registerHooks({
  resolve: (specifier, context, next) =>
    REPLACED.test(specifier) && /\/tools\/apply\/(apply|gate-rules-file)\.ts$/.test(context.parentURL ?? '')
      ? next(import.meta.url, context)
      : next(specifier, context),
});
