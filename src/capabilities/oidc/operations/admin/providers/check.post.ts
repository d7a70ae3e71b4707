import type { SignInSources } from '../../../../../core/domain/sign-in-source.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { checkedParts } from '../../../../../core/representations/admin/checked-parts.ts';
import { Type } from '../../../../../core/schema.ts';

declare module '../../../../../core/operation.ts' {
  interface OperationTools {
    /** The identity providers in force; missing in commands, and if none is set. */
    readonly providerSources?: SignInSources;
  }
}

/** Whether sign-ins at the identity providers in force can work: the steps of `providers check`. */
export default adminOperation({
  id: 'org/service/repository/admin/providers/check.post',
  summary: 'Ask each identity provider whether sign-ins there can work. Nothing is changed.',
  method: 'POST',
  paths: ['/api/admin/providers/check'],
  role: 'operator',
  input: {
    query: Type.Object({
      id: Type.Optional(
        Type.String({
          description: 'The id of one provider; without it all are asked, and with another one none is.',
          examples: ['acme'],
        }),
      ),
    }),
  },
  output: checkedParts,
  refusals: [],
  prepare: async ({ input: { query }, providerSources }) => (await providerSources?.check(query.id)) ?? [],
  perform: ({ prepared }) => changed(prepared, []),
});
