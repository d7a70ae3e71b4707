import type { SignInSources } from '../../../../../core/domain/sign-in-source.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { checkedParts } from '../../../../../core/representations/admin/checked-parts.ts';

declare module '../../../../../core/operation.ts' {
  interface OperationTools {
    /** The servers of the directory; missing in commands, and if none is set. */
    readonly directorySources?: SignInSources;
  }
}

/** Whether the directory can be asked: the steps of `ldap check`, without a person. */
export default adminOperation({
  id: 'org/service/repository/admin/directory/check.post',
  summary: 'Walk through the directory step by step, without a user. Nothing is changed.',
  method: 'POST',
  paths: ['/api/admin/directory/check'],
  role: 'operator',
  input: {},
  output: checkedParts,
  refusals: [],
  prepare: async ({ directorySources }) => (await directorySources?.check()) ?? [],
  perform: ({ prepared }) => changed(prepared, []),
});
