import { sourcesPages } from '../../../faces/pages/console/sources.ts';
import checkPost from '../operations/admin/directory/check.post.ts';

/** The page of the console about the directory. */
export const CONSOLE_PAGES = sourcesPages({
  area: 'directory',
  summaries: {
    get: 'Show the servers of the directory.',
    check: 'Walk through the directory step by step, and show what is wrong.',
  },
  sourcesIn: ({ directorySources }) => directorySources,
  check: (run, found) => run(checkPost, {}, found),
});
