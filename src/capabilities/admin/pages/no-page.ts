import { refuse } from '../../../core/domain/refusal.ts';
import { Type } from '../../../core/schema.ts';
import { page } from '../../../faces/pages/page.ts';

/** Answers at every path of the console that no page has: its reader signs in first, and keeps the navigation. */
export const noPage = page({
  id: 'org/service/repository/portal/console/no-page.get',
  summary: 'Tell that there is no page at this path.',
  method: 'GET',
  paths: ['/console/{rest}'],
  role: 'auditor',
  input: { path: Type.Object({ rest: Type.Array(Type.String(), { description: 'The rest of the path.' }) }) },
  perform: () => refuse('path_unknown'),
});
