import { registerHooks } from 'node:module';
import { record as recorded } from '../../../src/cli/record.ts';

export { recorded, systemUser } from '../../../src/cli/record.ts';

/** How many events are written before the process is killed. */
const DONE = 5;
let done = 0;

/** Loaded into a command first. It replaces the writer of events: after some of them the process is killed. */
export const record: typeof recorded = async (unit, at, event) => {
  await recorded(unit, at, event);
  done += 1;
  if (done === DONE) process.kill(process.pid, 'SIGKILL');
};

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/record.ts') && context.parentURL?.endsWith('/cli/apply/apply.ts')
      ? next(import.meta.url, context)
      : next(specifier, context),
});
